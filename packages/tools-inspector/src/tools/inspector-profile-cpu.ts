import { z } from 'zod';
import { ConflictError, defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { WorkerTask } from '@harperfast/agent-worker-task';
import type { Inspector } from '../inspector.js';
import { recordProfile } from '../profile/record-profile.js';
import type { FunctionTime, ProfileInput, ProfileSummary } from '../profile/summarize-profile.js';
import { findWorker } from '../workers/find-worker.js';
import { nameOf } from '../workers/worker-target.js';
import { workerIndex } from './worker-input.js';

const SUMMARY_MS = 60_000;
const TOP = 15;

/** `inspector_profile_cpu`: where a worker's time goes. */
export function inspectorProfileCpu(
  { workers, connections, limits }: Inspector,
  summarize: WorkerTask<ProfileInput, ProfileSummary>,
): Tool {
  const busy = new Set<number>();
  return defineTool({
    name: 'inspector_profile_cpu',
    description:
      'Samples what a worker does for some time, and shows the functions that take most of it and the hottest path of calls. ' +
      'The worker serves on, a little slower. Cause the load to be looked at meanwhile: calls that read run at the same time.',
    input: z.strictObject({
      workerIndex,
      durationMs: z.int().min(100).max(limits.maxProfileMs).describe('How long to sample, in milliseconds.'),
      top: z.int().min(1).max(50).optional().describe(`How many functions to list; ${TOP} by default.`),
    }),
    effect: 'read',
    async execute({ durationMs, top = TOP, ...input }, { signal }) {
      const worker = findWorker(workers(), input.workerIndex);
      if (busy.has(worker.threadId))
        throw new ConflictError(`${nameOf(worker)} is being profiled already; try later`);
      busy.add(worker.threadId);
      try {
        const recorded = await connections.use(worker, (connection) =>
          recordProfile(connection, durationMs, signal),
        );
        const summary = await summarize.run({ ...recorded, top }, { signal, deadlineMs: SUMMARY_MS });
        return { text: `${nameOf(worker)}: ${describe(summary)}`, data: { ...worker, ...summary } };
      } finally {
        busy.delete(worker.threadId);
      }
    },
  });
}

function describe({
  durationMs,
  samples,
  idleMs,
  topBySelf,
  topByTotal,
  hottestPath,
}: ProfileSummary): string {
  const share = (ms: number) => `${((100 * ms) / Math.max(1, durationMs)).toFixed(1)} %`;
  const row = ({ name, at, selfMs, totalMs }: FunctionTime) =>
    `  self ${selfMs} ms (${share(selfMs)}), total ${totalMs} ms (${share(totalMs)})  ${name}${at === '' ? '' : ` ${at}`}`;
  const path = hottestPath.map(
    ({ name, at, totalMs }, depth) =>
      `  ${' '.repeat(depth)}${name}${at === '' ? '' : ` ${at}`}  ${totalMs} ms`,
  );
  return [
    `${samples} samples in ${durationMs} ms, idle ${share(idleMs)}`,
    'By own time:',
    ...topBySelf.map(row),
    'By time with what they call:',
    ...topByTotal.map(row),
    'Hottest path:',
    ...path,
  ].join('\n');
}
