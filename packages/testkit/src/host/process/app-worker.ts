import { parentPort, workerData } from 'node:worker_threads';
import { runAppWorker } from '../workers/run-app-worker.js';
import { workerDataSchema } from '../workers/worker-messages.js';

// One worker thread that serves the applications.
if (parentPort === null) throw new Error('app-worker runs as a worker thread of the host only');
await runAppWorker(workerDataSchema.parse(workerData), parentPort);
