import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { findWorker } from '../workers/find-worker.js';
import { nameOf } from '../workers/worker-target.js';
import { workerIndex } from './worker-input.js';

/** `inspector_attach`: this session holds a worker's inspector connection. */
export function inspectorAttach({ workers, connections, limits }: Inspector): Tool {
  return defineTool({
    name: 'inspector_attach',
    description:
      'Attaches the inspector to a worker thread of the server, until inspector_detach, the end of the session, or ' +
      `${limits.idleMs / 60_000} minutes without a call for it. The worker runs on. ` +
      ' The main thread, where you run, cannot be attached to.',
    input: z.strictObject({ workerIndex }),
    effect: 'read',
    async execute(input, { sessionId, signal }) {
      const worker = findWorker(workers(), input.workerIndex);
      const isNew = await connections.attach(sessionId, worker, signal);
      const text = isNew
        ? `Attached to ${nameOf(worker)}.`
        : `You were attached to ${nameOf(worker)} already.`;
      return { text, data: { ...worker, attached: true } };
    },
  });
}
