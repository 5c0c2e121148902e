import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';

/** Tidies up after this process, should it end before `dismiss` is called: Ctrl-C and SIGKILL included. */
export interface Caretaker {
  /** Has this process ended with SIGKILL then; of a group of its own, with `-pid`, all of it. */
  watch(pid: number): void;
  /** It has ended by itself: another process may get its number. */
  forget(pid: number): void;
  /** Has the process ended that this file names then, unless it is one that was watched. */
  follow(pidFile: string): void;
  /** There is nothing to tidy up any more. */
  dismiss(): void;
}

/** What the caretaker runs: it hears a JSON array `[verb, what]` a line, and acts when the pipe to it breaks. */
const PROGRAM = `
const { readFileSync, rmSync } = require('node:fs');
const [folder = ''] = process.argv.slice(1);
let said = '';
const end = (pid) => { try { return process.kill(pid, 'SIGKILL') } catch { return false } };
process.stdin.setEncoding('utf8').on('data', (text) => (said += text)).on('end', () => {
  const known = new Set();
  const left = new Set();
  let pidFile = '';
  for (const line of said.split('\\n').filter(Boolean)) {
    const [verb, what] = JSON.parse(line);
    if (verb === 'follow') pidFile = what;
    else known.add(Math.abs(what));
    if (verb === 'watch') left.add(what);
    if (verb === 'forget') left.delete(what);
  }
  left.forEach(end);
  let other = 0;
  try { other = Number(readFileSync(pidFile, 'utf8')) } catch {}
  if (other > 1 && !known.has(other)) end(-other) || end(other);
  if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});`;

/**
 * Starts a small process that outlives this one, and is given nothing of its environment. In the end it removes
 * `folder`, if there is one, with everything in it.
 */
export function startCaretaker(folder?: string): Caretaker {
  // In a group of its own: Ctrl-C in a terminal goes to all of ours.
  const child = spawn(process.execPath, ['-e', PROGRAM, ...(folder === undefined ? [] : [folder])], {
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // It waits for this process, and not the other way round.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  child.stdin.on('error', () => undefined);
  const say = (...line: readonly (string | number)[]): void =>
    void child.stdin.write(`${JSON.stringify(line)}\n`);
  return {
    watch: (pid) => say('watch', pid),
    forget: (pid) => say('forget', pid),
    follow: (pidFile) => say('follow', pidFile),
    dismiss: () => void child.kill('SIGKILL'),
  };
}

/** A name for a folder that is to be made once its caretaker is there. */
export function unusedName(prefix: string): string {
  return `${prefix}${randomBytes(6).toString('hex')}`;
}
