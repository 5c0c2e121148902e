import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { checkExpressions, findPlace, setProbe } from './set-probe.js';
import { anyWorker, expressionInput, placeInput } from './worker-input.js';

/** `inspector_set_breakpoint`: stops a worker where it comes by. */
export function inspectorSetBreakpoint(inspector: Inspector): Tool {
  const { limits } = inspector;
  const seconds = limits.holdMs / 1000;
  return defineTool({
    name: 'inspector_set_breakpoint',
    description:
      `Stops a worker when it reaches a line, for ${seconds} s at most. A worker that stands still answers nobody, so prefer ` +
      'inspector_snapshot, which shows the same without stopping. Then inspector_paused shows where it stands, ' +
      'inspector_evaluate evaluates there, and inspector_resume lets it run on.',
    input: z.strictObject({
      ...placeInput,
      condition: expressionInput(limits)
        .optional()
        .describe('Stops only when this holds; runs with side effects.'),
      workerIndex: anyWorker,
    }),
    effect: 'disruptive',
    async execute({ condition, workerIndex, ...asked }, context) {
      await checkExpressions(inspector, condition === undefined ? [] : [condition]);
      const spec = {
        kind: 'breakpoint' as const,
        place: await findPlace(inspector, asked),
        ...(condition === undefined ? {} : { condition }),
      };
      const note = `Cause the request without waiting for its answer, then look with inspector_paused. Every breakpoint goes when one has held a worker for ${seconds} s.`;
      return setProbe(inspector, spec, { workerIndex, note }, context);
    },
  });
}
