import { z } from 'zod';
import { ConflictError, defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { findWorker } from '../workers/find-worker.js';
import { nameOf } from '../workers/worker-target.js';
import { workerIndex } from './worker-input.js';

/** `inspector_resume`: lets a worker run on, or to the end of a step. */
export function inspectorResume({ book, workers }: Inspector): Tool {
  return defineTool({
    name: 'inspector_resume',
    description:
      'Lets a worker run on that stands still at a breakpoint; with a step, only to the next place. Steps share the time ' +
      'of the stop they start from.',
    input: z.strictObject({
      workerIndex,
      step: z.enum(['over', 'into', 'out']).optional().describe('Stops again after this step.'),
    }),
    // To run on only ends what was allowed; a step stops the worker anew.
    effect: ({ step }) => (step === undefined ? 'read' : 'disruptive'),
    async execute({ step, ...input }) {
      const worker = findWorker(workers(), input.workerIndex);
      const hold = book.debuggers.find(worker.threadId)?.hold;
      if (hold?.at === undefined) throw new ConflictError(`${nameOf(worker)} does not stand still`);
      await hold.resume(step);
      const text =
        step === undefined
          ? `${nameOf(worker)} runs on.`
          : `${nameOf(worker)} takes a step ${step}; inspector_paused shows where it comes to.`;
      return { text, data: { ...worker, step: step ?? null } };
    },
  });
}
