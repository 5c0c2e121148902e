import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import { scriptUrl } from '../debugger/script-urls.js';
import type { Inspector } from '../inspector.js';
import { setProbe } from './set-probe.js';
import { anyWorker, hitsInput } from './worker-input.js';

/** `inspector_catch_exceptions`: a snapshot at the throw. */
export function inspectorCatchExceptions(inspector: Inspector): Tool {
  const { limits, root } = inspector;
  return defineTool({
    name: 'inspector_catch_exceptions',
    description:
      'Records what is thrown on the workers: the error with its stack, and the variables at the throw. Nothing is stopped ' +
      'and nothing changes. A server catches what its handlers throw in order to answer 500: for the cause of a failing ' +
      "request set 'caught'. Node's own code and node_modules are left out. It removes itself after its hits. Set it, " +
      'cause the request, then read the hits with inspector_read_hits.',
    input: z.strictObject({
      caught: z.boolean().optional().describe('Also what is caught again; false by default.'),
      within: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe(
          'Only what is thrown by code of this file or folder, relative to the folder of the components.',
        ),
      hits: hitsInput(limits),
      workerIndex: anyWorker,
    }),
    effect: 'read',
    async execute({ caught = false, within, hits, workerIndex }, context) {
      const spec = {
        kind: 'exceptions' as const,
        caught,
        ...(within === undefined ? {} : { within: await scriptUrl(within, root) }),
      };
      const note = "Cause the request now, then read with inspector_read_hits { id: 'ID' }.";
      return setProbe(inspector, spec, { hits, workerIndex, note }, context);
    },
  });
}
