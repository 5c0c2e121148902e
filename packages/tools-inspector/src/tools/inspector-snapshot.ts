import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { checkExpressions, findPlace, setProbe } from './set-probe.js';
import { anyWorker, expressionInput, hitsInput, placeInput } from './worker-input.js';

const MOST_EXPRESSIONS = 8;

/** `inspector_snapshot`: what the variables are when a line is reached, without stopping anything. */
export function inspectorSnapshot(inspector: Inspector): Tool {
  const { limits } = inspector;
  return defineTool({
    name: 'inspector_snapshot',
    description:
      'Records expressions, variables and the stack each time a line of code is about to run, on all workers, without ' +
      'stopping them: a hit takes a fraction of a millisecond, and some two milliseconds with expressions that only V8 can evaluate. Read only: V8 refuses expressions that would change anything. It ' +
      `removes itself after its hits, and sooner where the code is reached more than ${limits.hitsPerSecond} times a second. ` +
      'Set it, cause the request, then read the hits with inspector_read_hits.',
    input: z.strictObject({
      ...placeInput,
      expressions: z
        .array(expressionInput(limits))
        .max(MOST_EXPRESSIONS)
        .optional()
        .describe(
          'Evaluated in the scope of the line; its variables are recorded anyway. A plain path such as order.items[0].price runs no code and needs no pause: a getter on it shows as [Getter], and (in parentheses) it is evaluated. Nor do operators, templates and methods such as includes, has, get, Math.max and Object.keys need one; functions, getters and proxies do. Values are shown one level deep: for more ask for a property, or JSON.stringify(it).',
        ),
      hits: hitsInput(limits),
      workerIndex: anyWorker,
    }),
    effect: 'read',
    async execute({ expressions = [], hits, workerIndex, ...asked }, context) {
      await checkExpressions(inspector, expressions);
      const spec = { kind: 'snapshot' as const, place: await findPlace(inspector, asked), expressions };
      const note = "Cause the request now, then read with inspector_read_hits { id: 'ID' }.";
      return setProbe(inspector, spec, { hits, workerIndex, note }, context);
    },
  });
}
