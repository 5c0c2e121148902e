import { startMain } from './main/start-main.js';
import { startWorker } from './worker/start-worker.js';

/** HarperDB's hook on the main thread, called once a process, before the workers start. */
export async function startOnMainThread(options: object): Promise<void> {
  await startMain(options);
}

/** HarperDB's hook on each worker, and on the main thread where that serves requests itself. */
export async function start(): Promise<void> {
  await startWorker();
}
