import { describe, expect, it } from 'vitest';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import { findWorker } from '../../src/workers/find-worker.js';

// As the host may list them: any order, and the main thread among them.
const WORKERS = [
  { index: 1, threadId: 9 },
  { index: 0, threadId: 12, port: 9230 },
  { index: 2, threadId: 0 },
];

describe('findWorker', () => {
  it('goes by the index of the host, not by position or thread', () => {
    expect(findWorker(WORKERS, 0)).toEqual({ index: 0, threadId: 12, port: 9230 });
    expect(findWorker(WORKERS, 1)).toEqual({ index: 1, threadId: 9 });
  });

  it.each([
    [
      -1,
      'workerIndex -1 would be the main thread, where the agent itself runs: it cannot be inspected. Workers that can be: 0, 1.',
    ],
    [3, 'There is no worker 3. Workers that can be: 0, 1.'],
    [12, 'There is no worker 12. Workers that can be: 0, 1.'],
    [9230, 'There is no worker 9230. Workers that can be: 0, 1.'],
    [
      2,
      'Worker 2 is the thread on which the agent itself runs: it cannot be inspected. Workers that can be: 0, 1.',
    ],
  ])('refuses %d and says why', (index, message) => {
    expect(() => findWorker(WORKERS, index)).toThrow(new ToolDeniedError(message));
  });

  it('says so when there are none', () => {
    expect(() => findWorker([], 0)).toThrow('There is no worker 0. There are no workers that could be.');
  });
});
