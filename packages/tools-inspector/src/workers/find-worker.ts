import { threadId as ownThreadId } from 'node:worker_threads';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { WorkerTarget } from './worker-target.js';

/** The worker with this index. Throws `ToolDeniedError`, saying why and which ones there are, for anything else. */
export function findWorker(workers: readonly WorkerTarget[], index: number): WorkerTarget {
  if (index < 0) {
    throw new ToolDeniedError(
      `workerIndex ${index} would be the main thread, where the agent itself runs: it cannot be inspected. ${listing(workers)}`,
    );
  }
  const worker = workers.find((candidate) => candidate.index === index);
  if (worker === undefined) throw new ToolDeniedError(`There is no worker ${index}. ${listing(workers)}`);
  if (worker.threadId === ownThreadId) {
    throw new ToolDeniedError(
      `Worker ${index} is the thread on which the agent itself runs: it cannot be inspected. ${listing(workers)}`,
    );
  }
  return worker;
}

/** Those of the workers that may be inspected, by index. */
export function inspectableWorkers(workers: readonly WorkerTarget[]): readonly WorkerTarget[] {
  return workers
    .filter(({ index, threadId }) => index >= 0 && threadId !== ownThreadId)
    .toSorted((a, b) => a.index - b.index);
}

function listing(workers: readonly WorkerTarget[]): string {
  const indexes = inspectableWorkers(workers).map(({ index }) => index);
  if (indexes.length === 0) return 'There are no workers that could be.';
  return `Workers that can be: ${indexes.join(', ')}.`;
}
