import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { describeProbe } from '../probes/describe-probe.js';
import { probeId } from './worker-input.js';

/** `inspector_remove_breakpoint`: takes back what this session has set, of whatever kind. */
export function inspectorRemoveBreakpoint({ book }: Inspector): Tool {
  return defineTool({
    name: 'inspector_remove_breakpoint',
    description:
      'Removes a breakpoint, snapshot, logpoint or the catching of exceptions that you have set. What it recorded can still be read.',
    input: z.strictObject({ id: probeId }),
    // It only takes back what was allowed to be set; having to ask first would keep workers stopping.
    effect: 'read',
    async execute({ id }, { sessionId }) {
      const probe = book.find(sessionId, id);
      const before = probe.ended;
      await book.remove(probe, 'it was removed by inspector_remove_breakpoint');
      const text =
        before === undefined
          ? `Removed ${describeProbe(probe)}.`
          : `It was gone already: ${before}. (${describeProbe(probe)})`;
      return { text, data: { id, removed: before === undefined } };
    },
  });
}
