import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processEntry } from '../process-entry.js';
import { parseDownward, parseUpward, type Upward } from '../supervision.js';

// Keeps one host process running: starts it, starts it again when it asks for that, ends with it otherwise.
// Everything it needs is in the environment (ROOTPATH …); it reports to its parent over IPC.

const LONGEST_END_MS = 8000;

let host: ChildProcess;
let wanted: 'running' | 'restarting' | 'stopped' = 'running';

function start(): void {
  wanted = 'running';
  host = fork(fileURLToPath(processEntry('host-process')), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  host.on('message', (raw) => {
    const message = parseUpward(raw);
    if (message.type === 'restarting' && wanted === 'running') {
      wanted = 'restarting';
      killLater();
    }
    report(message);
  });
  host.on('exit', (code, signal) => {
    if (wanted === 'restarting') start();
    else if (wanted === 'stopped') process.exit(0);
    else {
      report({ type: 'failed', message: `The host process ended with ${signal ?? `code ${code}`}` }, () =>
        process.exit(1),
      );
      setTimeout(() => process.exit(1), 1000);
    }
  });
}

function stop(): void {
  if (wanted === 'stopped') return;
  wanted = 'stopped';
  killLater();
  if (host.connected) host.send({ type: 'stop' });
}

/** The host may be unable to end: a paused thread, a loop. */
function killLater(): void {
  const ending = host;
  const timer = setTimeout(() => ending.kill('SIGKILL'), LONGEST_END_MS);
  ending.once('exit', () => clearTimeout(timer));
}

function report(message: Upward, then: () => void = () => {}): void {
  if (process.connected) process.send?.(message, undefined, {}, then);
  else then();
}

process.on('message', (raw) => {
  parseDownward(raw);
  stop();
});
process.on('disconnect', stop);
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
start();
