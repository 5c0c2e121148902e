import { fileURLToPath } from 'node:url';
import { bundleWorker } from '../../build/bundle-worker.ts';
import { createWorkerTask } from '../../src/create-worker-task.js';
import type { TestInput } from './test-worker.js';

// Does one task with a thread that stays for an hour, and then has nothing left to do.
const { source } = await bundleWorker(fileURLToPath(new URL('./test-worker.ts', import.meta.url)));
const task = createWorkerTask<TestInput, unknown>({
  source,
  name: 'test task',
  memoryMb: 32,
  idleMs: 3_600_000,
});
await task.run('steps', { signal: new AbortController().signal, deadlineMs: 20_000 });
process.send?.('answered');
process.disconnect?.();
