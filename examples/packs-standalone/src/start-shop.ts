import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What the agent looks after: a small server in a worker thread, with a misspelt field. */
const SERVER = `import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

globalThis.orders = [{ price: 3, count: 2 }, { price: 5, count: 1 }];
const total = () =>
  orders.reduce((sum, order) => {
    return sum + order.price * order.cuont;
  }, 0);

const server = createServer((request, response) => response.end(String(total())));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

export interface Shop {
  /** Its source. */
  readonly app: string;
  /** Where the file tools keep what they replace. */
  readonly changes: string;
  readonly port: number;
  readonly threadId: number;
  close(): Promise<void>;
}

/** Writes the server into a folder of its own and starts it; `close` ends it and removes the folder. */
export async function startShop(): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'packs-standalone-'));
  const app = join(folder, 'app');
  const file = join(app, 'server.mjs');
  await mkdir(app);
  await writeFile(file, SERVER);
  const worker = new Worker(file);
  const [port]: unknown[] = await once(worker, 'message');
  return {
    app,
    changes: join(folder, 'changes'),
    port: Number(port),
    threadId: worker.threadId,
    async close() {
      await worker.terminate();
      await rm(folder, { recursive: true });
    },
  };
}
