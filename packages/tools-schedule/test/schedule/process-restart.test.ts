import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFileFollowupStore } from '../support/file-followup-store.js';

const workspace = fileURLToPath(new URL('../../../..', import.meta.url));
const program = fileURLToPath(new URL('../support/followup-process.ts', import.meta.url));

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'followups-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return {
    folder,
    deliveries: async () =>
      (await readFile(join(folder, 'deliveries'), 'utf8').catch(() => '')).split('\n').slice(0, -1),
    stored: () => createFileFollowupStore(join(folder, 'followups')).list(),
  };
}

/** Starts the process, and tells what it reports until it ends. */
function start(...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions', '@harperfast/source', program, ...args],
    { cwd: workspace, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  return {
    async until(word: string) {
      for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
        if (line.value.startsWith(`${word} `)) return line.value.slice(word.length + 1);
      }
      throw new Error(`The process ended before it reported "${word}"`);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    /** Ends its standard input; it ends by itself when nothing of ours keeps it alive. */
    async end() {
      child.stdin.end();
      const [code] = await ended;
      return code;
    },
  };
}

describe('a process that is killed', () => {
  it(
    'while it delivers: the next one delivers again under the same id, the one after that not',
    { timeout: 60_000 },
    async () => {
      const { folder, deliveries, stored } = await openFolder();
      const first = start(folder, 'hang', 'check');
      const id = await first.until('delivering');
      await first.kill();
      expect(await stored()).toMatchObject([{ state: 'firing' }]);

      const second = start(folder, 'take');
      expect(await second.until('delivering')).toBe(id);
      expect(await second.end()).toBe(0);
      expect(await stored()).toMatchObject([{ state: 'done', delivered: 1 }]);

      const third = start(folder, 'take');
      await third.until('started');
      expect(await third.end()).toBe(0);
      expect(await deliveries()).toEqual([id, id]);
    },
  );
});
