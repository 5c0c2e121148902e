import { parentPort } from 'node:worker_threads';
import type { FromWorker } from './messages.js';

/**
 * The worker's side: answers each input with what `handle` gives or why it threw. Inputs come one at a time.
 * `report` hands something over before the end; it is delivered in order.
 */
export function serveTask<Input, Output, Progress = never>(
  handle: (input: Input, report: (progress: Progress) => void) => Output | Promise<Output>,
): void {
  const say = (message: FromWorker) => parentPort?.postMessage(message);
  const report = (progress: Progress) => say({ progress });
  parentPort?.on('message', (input: Input) => {
    // A handler may throw before it returns a promise.
    Promise.resolve()
      .then(() => handle(input, report))
      .then((output) => say({ output }))
      .catch((error: unknown) => say({ failure: error instanceof Error ? error.message : String(error) }));
  });
}
