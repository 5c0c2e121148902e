import { expect, vi } from 'vitest';
import { WORKERS, type HarperHostBench, type ProbedWorker } from './bench.js';

const LONGEST_MS = 45_000;

/** Has the host replace its workers; resolves with the new ones when all are there and none of the old is. */
export async function replaceWorkers(bench: HarperHostBench): Promise<readonly ProbedWorker[]> {
  const before = new Set((await bench.workers()).map(({ threadId }) => threadId));
  await bench.ask({ operation: 'restart_service', service: 'http_workers' });
  return vi.waitFor(
    async () => {
      const workers = await bench.workers();
      expect(workers).toHaveLength(WORKERS);
      expect(workers.filter(({ threadId }) => before.has(threadId))).toEqual([]);
      // Somebody has to listen again, too.
      await bench.ask({ operation: 'describe_all' });
      return workers;
    },
    { timeout: LONGEST_MS, interval: 100 },
  );
}
