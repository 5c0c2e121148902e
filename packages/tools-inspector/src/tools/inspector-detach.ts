import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { findWorker } from '../workers/find-worker.js';
import { nameOf } from '../workers/worker-target.js';
import { workerIndex } from './worker-input.js';

/** `inspector_detach`: this session lets go of a worker. */
export function inspectorDetach({ workers, connections }: Inspector): Tool {
  return defineTool({
    name: 'inspector_detach',
    description: 'Detaches the inspector from a worker thread of the server; what other sessions hold stays.',
    input: z.strictObject({ workerIndex }),
    effect: 'read',
    async execute(input, { sessionId }) {
      const worker = findWorker(workers(), input.workerIndex);
      const held = await connections.detach(sessionId, worker.threadId);
      const text = held ? `Detached from ${nameOf(worker)}.` : `You were not attached to ${nameOf(worker)}.`;
      return { text, data: { ...worker, attached: false } };
    },
  });
}
