import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** Line 4 is where snapshots are set. */
const PROGRAM = `import inspector from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
function handle(order) {
  let total = 0;
  for (const item of order.items) total += item.price * item.count;
  return { total, id: order.id, text: JSON.stringify(order) };
}
const order = { id: 1, items: Array.from({ length: 20 }, (_, at) => ({ price: at, count: 2, name: 'item ' + at })) };
const turn = () => new Promise((resolve) => setImmediate(resolve));
let running = false;
let served = 0;
parentPort.on('message', async ({ command, count, everyMs }) => {
  if (command === 'times') {
    const times = [];
    for (let at = 0; at < count; at += 1) {
      const began = process.hrtime.bigint();
      handle(order);
      times.push(Number(process.hrtime.bigint() - began) / 1e6);
      await (everyMs === 0 ? turn() : new Promise((resolve) => setTimeout(resolve, everyMs)));
    }
    parentPort.postMessage({ times });
  }
  if (command === 'run') {
    running = true;
    while (running) {
      for (let at = 0; at < 50; at += 1) handle(order);
      served += 50;
      await turn();
    }
  }
  if (command === 'served') parentPort.postMessage({ served, at: performance.timeOrigin + performance.now() });
  if (command === 'leave') { inspector.close(); process.exit(0); }
});
if (workerData.debug) inspector.open(0, '127.0.0.1');
parentPort.postMessage({ url: inspector.url() });
`;

const ready = z.object({ url: z.string().optional() });
const timed = z.object({ times: z.array(z.number()) });
const count = z.object({ served: z.number(), at: z.number() });

/** A worker that handles orders, one after the other. */
export interface LoadWorker {
  readonly threadId: number;
  readonly port: number | undefined;
  readonly folder: string;
  /** Milliseconds each of so many calls took, made so far apart, or at once where that is 0. */
  times(count: number, everyMs: number): Promise<readonly number[]>;
  run(): void;
  /** Calls a second over this time, as the worker itself counts them. */
  throughput(ms: number): Promise<number>;
  close(): Promise<void>;
}

export async function startLoadWorker({ debug }: { readonly debug: boolean }): Promise<LoadWorker> {
  const folder = await mkdtemp(join(tmpdir(), 'inspector-bench-'));
  await writeFile(join(folder, 'worker.mjs'), PROGRAM);
  const worker = new Worker(join(folder, 'worker.mjs'), {
    workerData: { debug },
    execArgv: [],
    stderr: true,
  });
  const ask = async (message: object): Promise<unknown> => {
    const answered = once(worker, 'message');
    worker.postMessage(message);
    return (await answered)[0];
  };
  const [first] = await once(worker, 'message');
  const { url } = ready.parse(first);
  return {
    threadId: worker.threadId,
    port: url === undefined ? undefined : Number(new URL(url).port),
    folder,
    times: async (calls, everyMs) =>
      timed.parse(await ask({ command: 'times', count: calls, everyMs })).times,
    run: () => worker.postMessage({ command: 'run' }),
    async throughput(ms) {
      const before = count.parse(await ask({ command: 'served' }));
      await new Promise((resolve) => setTimeout(resolve, ms));
      const after = count.parse(await ask({ command: 'served' }));
      return ((after.served - before.served) / (after.at - before.at)) * 1000;
    },
    async close() {
      const exited = once(worker, 'exit');
      worker.postMessage({ command: 'leave' });
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
