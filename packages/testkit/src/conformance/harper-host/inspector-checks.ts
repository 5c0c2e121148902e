import { expect, vi } from 'vitest';
import { z } from 'zod';
import { WORKERS, type HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';
import { replaceWorkers } from './replace-workers.js';

const RELOAD_MS = 60_000;
const targetsSchema = z.tuple([z.looseObject({ webSocketDebuggerUrl: z.string() })]);

export const inspectorChecks: readonly HarperHostCheck[] = [
  {
    name: 'opens the inspector of its main thread at threads.debug.port',
    async run(bench) {
      await listens(bench.ports.main);
    },
  },
  {
    name: 'opens the inspector of each worker at threads.debug.startingPort and its index, replaced ones too',
    deadlineMs: RELOAD_MS,
    async run(bench) {
      const before = await workerTargets(bench);
      await replaceWorkers(bench);
      const after = await workerTargets(bench);
      for (const [index, target] of after.entries()) expect(target).not.toBe(before[index]);
    },
  },
];

/** The debugger's address of every worker, by its index. */
async function workerTargets({ ports }: HarperHostBench): Promise<readonly string[]> {
  const indexes = Array.from({ length: WORKERS }, (_, index) => index);
  return Promise.all(indexes.map((index) => listens(ports.startingPort + index)));
}

/** Resolves with the debugger's address that is told on a port, as soon as it is. */
async function listens(port: number): Promise<string> {
  return vi.waitFor(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`).then(
        (response) => response.json(),
        () => undefined,
      );
      const targets = targetsSchema.safeParse(answer);
      expect(targets.error?.message, `what is wrong with the targets on port ${port}`).toBeUndefined();
      return targets.data?.[0].webSocketDebuggerUrl ?? '';
    },
    { timeout: 10_000, interval: 50 },
  );
}
