import { threadId as ownThreadId } from 'node:worker_threads';
import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { WorkerConnections } from '../workers/worker-connections.js';
import { nameOf } from '../workers/worker-target.js';
import type { WorkerTarget } from '../workers/worker-target.js';

/** `inspector_status`: which workers there are, and which this session is attached to. */
export function inspectorStatus(
  workers: () => readonly WorkerTarget[],
  connections: WorkerConnections,
): Tool {
  return defineTool({
    name: 'inspector_status',
    description:
      'Lists the worker threads of the server that can be inspected, and which of them you are attached to.',
    input: z.strictObject({}),
    effect: 'read',
    async execute(_input, { sessionId }) {
      const rows = workers()
        .filter(({ index, threadId }) => index >= 0 && threadId !== ownThreadId)
        .sort((a, b) => a.index - b.index)
        .map((worker) => {
          const holders = connections.holders(worker.threadId);
          const attached = holders.includes(sessionId);
          return { ...worker, attached, otherSessions: holders.length - (attached ? 1 : 0) };
        });
      const text =
        rows.length === 0
          ? 'The server has no worker threads that could be inspected.'
          : rows.map(line).join('\n');
      return { text, data: rows };
    },
  });
}

function line(row: WorkerTarget & { readonly attached: boolean; readonly otherSessions: number }): string {
  const port = row.port === undefined ? '' : `, debug port ${row.port}`;
  const others =
    row.otherSessions === 0
      ? ''
      : `, held by ${row.otherSessions} other session${row.otherSessions === 1 ? '' : 's'}`;
  return `${nameOf(row)}${port}: ${row.attached ? 'attached' : 'not attached'}${others}`;
}
