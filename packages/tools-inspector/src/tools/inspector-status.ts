import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { describePlacements, describeProbe } from '../probes/describe-probe.js';
import type { Probe } from '../probes/probe.js';
import { inspectableWorkers } from '../workers/find-worker.js';
import { nameOf } from '../workers/worker-target.js';
import type { WorkerTarget } from '../workers/worker-target.js';

/** `inspector_status`: which workers there are, what holds them, and what this session has set on them. */
export function inspectorStatus({ workers, connections, book, limits }: Inspector): Tool {
  return defineTool({
    name: 'inspector_status',
    description:
      'Lists the worker threads of the server that can be inspected, which of them you are attached to, which stand still, ' +
      'and the snapshots, breakpoints and logpoints you have set, with how often they were hit.',
    input: z.strictObject({}),
    effect: 'read',
    async execute(_input, { sessionId }) {
      await book.sync();
      const rows = inspectableWorkers(workers()).map((worker) => {
        const holders = connections.holders(worker.threadId);
        const attached = holders.includes(sessionId);
        const held = book.debuggers.find(worker.threadId)?.hold.at;
        return {
          ...worker,
          attached,
          idledAfterMs: connections.idled(sessionId, worker.threadId) ? limits.idleMs : null,
          otherSessions: holders.length - (attached ? 1 : 0),
          pausedAt: held?.stack[0]?.at ?? null,
        };
      });
      const probes = book.list(sessionId);
      const lines = [
        ...(rows.length === 0
          ? ['The server has no worker threads that could be inspected.']
          : rows.map(line)),
        ...probes.map((probe) => probeLine(probe, describePlacements(probe, book.placements(probe)))),
      ];
      const set = probes.map(({ id, spec, hits, ended }) => ({
        id,
        kind: spec.kind,
        hits: hits.length,
        ended: ended ?? null,
      }));
      return { text: lines.join('\n'), data: { workers: rows, set } };
    },
  });
}

interface Row extends WorkerTarget {
  readonly attached: boolean;
  readonly idledAfterMs: number | null;
  readonly otherSessions: number;
  readonly pausedAt: { readonly url: string; readonly line: number } | null;
}

function line(row: Row): string {
  const port = row.port === undefined ? '' : `, debug port ${row.port}`;
  const others =
    row.otherSessions === 0
      ? ''
      : `, held by ${row.otherSessions} other session${row.otherSessions === 1 ? '' : 's'}`;
  const idled =
    row.idledAfterMs === null
      ? ''
      : ` (you were, until it had not been used for ${row.idledAfterMs / 1000} s)`;
  const paused = row.pausedAt === null ? '' : `, stands still at ${row.pausedAt.url}:${row.pausedAt.line}`;
  return `${nameOf(row)}${port}: ${row.attached ? 'attached' : 'not attached'}${idled}${others}${paused}`;
}

function probeLine(probe: Probe, placements: string): string {
  const count = `${probe.hits.length} hit${probe.hits.length === 1 ? '' : 's'}`;
  const head = `${describeProbe(probe)}, ${count}`;
  return probe.ended === undefined ? `${head}\n${placements}` : `${head}, removed: ${probe.ended}`;
}
