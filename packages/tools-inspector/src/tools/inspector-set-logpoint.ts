import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { checkExpressions, findPlace, setProbe } from './set-probe.js';
import { anyWorker, expressionInput, hitsInput, placeInput } from './worker-input.js';

/** `inspector_set_logpoint`: an expression of any kind, evaluated when a line is reached. */
export function inspectorSetLogpoint(inspector: Inspector): Tool {
  const { limits } = inspector;
  return defineTool({
    name: 'inspector_set_logpoint',
    description:
      'Evaluates an expression each time a line of code is about to run, and records its value. The expression may call ' +
      'anything and change anything, in the middle of a request: where reading is enough, use inspector_snapshot. What it ' +
      'throws is recorded and does not reach the code. Same limits as a snapshot.',
    input: z.strictObject({
      ...placeInput,
      expression: expressionInput(limits).describe('Evaluated in the scope of the line.'),
      hits: hitsInput(limits),
      workerIndex: anyWorker,
    }),
    effect: 'disruptive',
    async execute({ expression, hits, workerIndex, ...asked }, context) {
      await checkExpressions(inspector, [expression]);
      const place = await findPlace(inspector, asked);
      const spec = { kind: 'logpoint' as const, place, expressions: [expression] as const };
      const note = "Read what it records with inspector_read_hits { id: 'ID' }.";
      return setProbe(inspector, spec, { hits, workerIndex, note }, context);
    },
  });
}
