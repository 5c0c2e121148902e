import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** What every worker of these tests holds, and what it does when it gets a message. */
const PROGRAM = String.raw`
const { parentPort } = require('node:worker_threads');
globalThis.state = {
  count: 1,
  get trap() { globalThis.trapped = true; return 1; },
  rows: new Map([['a', { id: 1 }], ['b', { id: 2 }]]),
  tags: new Set(['x', 'y']),
};
globalThis.circular = { name: 'loop', list: [] };
circular.self = circular;
circular.list.push(circular);
globalThis.deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
globalThis.failure = Object.assign(new TypeError('id is not a function', { cause: 'test' }), { code: 'E_ID' });
globalThis.pattern = /a+/gi;
globalThis.plainProxy = new Proxy({ a: 1 }, {});
globalThis.trappedProxy = new Proxy({ a: 1 }, { ownKeys() { globalThis.trapped = true; return []; } });
globalThis.revokedProxy = (() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })();
globalThis.wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ['key' + i, i]));
globalThis.long = Array.from({ length: 100000 }, (_, i) => ({ i }));
globalThis.foreign = require('node:vm').runInNewContext('({ map: new Map([[1, 2]]), date: new Date(0), error: new RangeError("far") })');
class Foo { #hidden = 1; shown = 2; get bar() { globalThis.trapped = true; return 3; } }
globalThis.foo = new Foo();
globalThis.emoji = 'a'.repeat(399) + '🎈'.repeat(100);
globalThis.handle = (value) => {
  const answer = value * 2;
  return answer;
};
parentPort.on('message', ({ command, value }) => {
  if (command === 'mark') { globalThis.mark = value; parentPort.postMessage({ answer: value }); }
  if (command === 'double') parentPort.postMessage({ answer: handle(value) });
  if (command === 'log') { for (let i = 0; i < value; i++) console.debug('line', i); parentPort.postMessage({ answer: value }); }
  // Blocks outside of JavaScript until somebody opens the pipe to write: V8 cannot interrupt that.
  if (command === 'block') require('node:fs').closeSync(require('node:fs').openSync(value, 'r'));
});
parentPort.postMessage({ answer: 'ready' });
`;

/** A named pipe. Once it is released, whoever opens it to read gets through. */
async function openPipe() {
  const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  let writer: number | undefined;
  return {
    path,
    release: () => void (writer ??= openSync(path, constants.O_RDWR | constants.O_NONBLOCK)),
    async remove() {
      if (writer !== undefined) closeSync(writer);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface StartedWorker {
  readonly worker: Worker;
  readonly threadId: number;
  /** Sends it a command and resolves with its answer. */
  readonly ask: (command: string, value: unknown) => Promise<unknown>;
  /** Blocks it outside of JavaScript; the returned function releases it. */
  readonly block: () => Promise<() => void>;
  /** Ends it. Rejects when it cannot be ended within two seconds, as a paused one cannot. */
  readonly terminate: () => Promise<void>;
}

/** Starts a worker that is gone after the test. */
export async function startWorker(): Promise<StartedWorker> {
  const started = await createWorker();
  onTestFinished(started.terminate);
  return started;
}

/** Starts a real worker thread that is ready when this resolves. */
export async function createWorker(): Promise<StartedWorker> {
  const worker = new Worker(PROGRAM, { eval: true, name: '[worker 1] http', stdout: true, stderr: true });
  const { threadId } = worker;
  let pipe: Awaited<ReturnType<typeof openPipe>> | undefined;
  async function terminate() {
    pipe?.release();
    const deadline = AbortSignal.timeout(2000);
    const late = once(deadline, 'abort').then(() => {
      throw new Error(`Worker thread ${threadId} did not end within 2 s: it is paused`);
    });
    await Promise.race([worker.terminate(), late]);
    await pipe?.remove();
    pipe = undefined;
  }
  await once(worker, 'message');
  return {
    worker,
    threadId,
    terminate,
    async block() {
      pipe = await openPipe();
      worker.postMessage({ command: 'block', value: pipe.path });
      return pipe.release;
    },
    async ask(command, value) {
      const answered = once(worker, 'message', { signal: AbortSignal.timeout(2000) });
      worker.postMessage({ command, value });
      const [message] = await answered;
      return message.answer;
    },
  };
}
