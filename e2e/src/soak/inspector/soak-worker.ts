import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Line 3 is where everything is set. */
const PROGRAM = `import { parentPort } from 'node:worker_threads';
function handle(value) {
  const doubled = value * 2;
  if (value < 0) throw new RangeError('negative: ' + value);
  return doubled;
}
parentPort.on('message', ({ id, value, times }) => {
  let answer;
  for (let time = 0; time < times; time += 1) {
    try { answer = handle(value); } catch (error) { answer = String(error); }
  }
  parentPort.postMessage({ id, answer });
});
parentPort.postMessage({ id: 0 });
`;

/** What a worker answered, or that it ended first. */
export type Outcome = { readonly answer: unknown } | 'ended';

/** A worker thread that answers requests until it is ended. */
export interface SoakWorker {
  readonly threadId: number;
  /** Resolves in any case; when nothing comes, with 'late' after `withinMs`. */
  request(value: number, times: number, withinMs: number): Promise<Outcome | 'late'>;
  /** Resolves with false when it has not ended in time. */
  end(withinMs: number): Promise<boolean>;
}

/** The program of the workers, in a file of its own, as breakpoints need one. */
export async function writeProgram(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'inspector-soak-'));
  await writeFile(join(folder, 'worker.mjs'), PROGRAM);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export async function startSoakWorker(folder: string): Promise<SoakWorker> {
  const worker = new Worker(join(folder, 'worker.mjs'), { execArgv: [] });
  const { threadId } = worker;
  const waiting = new Map<number, (answer: unknown) => void>();
  let lastId = 0;
  const exited = once(worker, 'exit').then((): 'ended' => 'ended');
  await once(worker, 'message');
  worker.on('message', (message: { readonly id: number; readonly answer: unknown }) => {
    waiting.get(message.id)?.(message.answer);
    waiting.delete(message.id);
  });
  return {
    threadId,
    request(value, times, withinMs) {
      const id = ++lastId;
      const answered = new Promise<Outcome>((resolve) => waiting.set(id, (answer) => resolve({ answer })));
      worker.postMessage({ id, value, times });
      return Promise.race([answered, exited, after(withinMs)]);
    },
    async end(withinMs) {
      void worker.terminate();
      return (await Promise.race([exited, after(withinMs)])) === 'ended';
    },
  };
}

function after(ms: number): Promise<'late'> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('late'), ms).unref();
  });
}
