import { connect, createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { listenRetrying } from '../server/listen-retrying.js';
import { parseFrontPort, parseToFront } from '../workers/front-messages.js';

// The app port: a thread that hands each connection to the next worker. It outlives the workers, so replacing them
// refuses nobody, and it keeps the main thread out of the path of application requests.

const LONGEST_WAIT_MS = 10_000;
const PARENT_CHECK_MS = 500;

let targets: readonly number[] = [];
let turn = 0;
const waiting = new Set<() => void>();

const server = createServer({ pauseOnConnect: true }, (client) => {
  client.on('error', () => client.destroy());
  forward(client, 0);
});

function forward(client: Socket, attempts: number): void {
  const port = targets[turn++ % Math.max(1, targets.length)];
  if (port === undefined || attempts > targets.length) {
    waitForWorker(client);
    return;
  }
  const worker = connect({ host: '127.0.0.1', port, noDelay: true });
  const retry = () => forward(client, attempts + 1);
  worker.once('error', retry);
  worker.once('connect', () => {
    worker.off('error', retry);
    worker.on('error', () => client.destroy());
    client.once('close', () => worker.destroy());
    worker.once('close', () => client.destroy());
    client.setNoDelay(true);
    client.pipe(worker).pipe(client);
  });
}

function waitForWorker(client: Socket): void {
  const give = () => {
    clearTimeout(timer);
    waiting.delete(give);
    forward(client, 0);
  };
  const timer = setTimeout(() => {
    waiting.delete(give);
    client.destroy();
  }, LONGEST_WAIT_MS);
  waiting.add(give);
}

parentPort?.on('message', (message: unknown) => {
  const { id, ports } = parseToFront(message);
  targets = ports;
  // A connection that finds no worker again would be added to what is being walked, for ever.
  const held = ports.length > 0 ? Array.from(waiting) : [];
  for (const give of held) give();
  parentPort?.postMessage({ type: 'using', id });
});

// A main thread that is stuck in a loop cannot see that its supervisor is gone; this thread can.
const { ppid } = process;
setInterval(() => {
  if (process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
}, PARENT_CHECK_MS).unref();

const port = parseFrontPort(workerData);
listenRetrying(
  () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port }, () => {
        server.off('error', reject);
        resolve();
      });
    }),
).then(
  () => {
    const address = server.address();
    parentPort?.postMessage({
      type: 'listening',
      port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    });
  },
  (error: unknown) => parentPort?.postMessage({ type: 'failed', message: String(error) }),
);
