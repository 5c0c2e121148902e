import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Line numbers matter: tests name them. */
export const ORDERS = `// An order is priced by its items.
export class Orders {
  discount = 0.1;
  post(body) {
    const items = body.items;
    let total = 0;
    for (const item of items) {
      total += item.price;
    }
    return total * (1 - this.discount);
  }
  async slow(body) {
    await undefined;
    const name = body.customer.name;
    return name;
  }
}
`;

const MAIN = `import { parentPort, workerData } from 'node:worker_threads';
import inspector from 'node:inspector';
import { register } from 'node:module';
if (workerData.orders.endsWith('.ts')) {
  // As a server strips types: blanks in their place, and the URL stays.
  const load = \`export async function load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const text = await (await import('node:fs/promises')).readFile(new URL(url), 'utf8');
    const source = text.replace(/interface [^}]*}|: Body/g, (type) => type.replace(/[^\\\\n]/g, ' '));
    return { format: 'module', source, shortCircuit: true };
  }\`;
  register('data:text/javascript,' + encodeURIComponent(load));
}
const { Orders } = await import(workerData.orders);
const orders = new Orders();
globalThis.served = 0;
parentPort.on('message', async ({ id, method, body, times = 1 }) => {
  // A thread with a client on its debug port could not end.
  if (method === 'leave') { inspector.close(); process.exit(0); }
  let answer;
  for (let time = 0; time < times; time += 1) {
    try {
      answer = { value: await orders[method](body) };
    } catch (error) {
      answer = { error: String(error) };
    }
    served += 1;
  }
  parentPort.postMessage({ id, ...answer });
});
if (workerData.debug) inspector.open(0, workerData.host);
parentPort.postMessage({ id: 0, url: inspector.url() });
`;

export interface AppWorker {
  readonly worker: Worker;
  readonly threadId: number;
  /** Where its inspector listens, if it was asked to. */
  readonly url: string | undefined;
  /** Calls a method of the Orders resource. */
  request(method: string, body: unknown, times?: number): Promise<{ value?: unknown; error?: string }>;
  /** Ends it; rejects when that takes longer than two seconds. */
  readonly terminate: () => Promise<void>;
}

export interface App {
  readonly root: string;
  readonly ordersUrl: string;
  start(options?: { debug?: boolean; host?: string; env?: Record<string, string> }): Promise<AppWorker>;
}

/** An application in a folder of its own, whose workers are started as wanted and gone after the test. */
export async function createApp(file = 'orders/resources.js', source = ORDERS): Promise<App> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'inspector-app-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'orders'), { recursive: true });
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  await writeFile(join(root, file), source);
  await writeFile(join(root, 'main.mjs'), MAIN);
  const ordersUrl = pathToFileURL(join(root, file)).href;
  return {
    root,
    ordersUrl,
    async start({ debug = false, host = '127.0.0.1', env = {} } = {}) {
      const worker = new Worker(join(root, 'main.mjs'), {
        workerData: { orders: ordersUrl, debug, host },
        env: { ...process.env, ...env },
        stdout: true,
        stderr: true,
        execArgv: [],
      });
      const { threadId } = worker;
      const answers = new Map<number, (answer: { value?: unknown; error?: string }) => void>();
      const [ready] = await once(worker, 'message');
      let lastId = 0;
      worker.on('message', ({ id, ...answer }) => answers.get(id)?.(answer));
      const exited = once(worker, 'exit');
      const terminate = async () => {
        if (worker.threadId < 0) return;
        if (debug) worker.postMessage({ id: 0, method: 'leave' });
        else void worker.terminate();
        const deadline = new AbortController();
        const late = delay(2000, 'late', { signal: deadline.signal }).catch(() => 'gone');
        const outcome = await Promise.race([exited, late]);
        deadline.abort();
        if (outcome === 'late')
          throw new Error(`Worker thread ${threadId} did not end within 2 s: it is paused`);
      };
      onTestFinished(terminate);
      return {
        worker,
        threadId,
        url: ready.url,
        terminate,
        request: (method, body, times = 1) =>
          new Promise((resolve, reject) => {
            const id = (lastId += 1);
            const timer = setTimeout(
              () => reject(new Error(`${method} was not answered within 20 s`)),
              20_000,
            );
            answers.set(id, (answer) => {
              clearTimeout(timer);
              resolve(answer);
            });
            worker.postMessage({ id, method, body, times });
          }),
      };
    },
  };
}
