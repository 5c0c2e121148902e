import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Inspector } from '../inspector.js';
import { describeHit, describePlacements, describeProbe } from '../probes/describe-probe.js';
import { probeId } from './worker-input.js';

/** Characters of hits in one answer; one hit is shown in any case. */
const MOST = 24_000;

/** `inspector_read_hits`: what a snapshot, a logpoint or the catching of exceptions has recorded. */
export function inspectorReadHits({ book, limits }: Inspector): Tool {
  return defineTool({
    name: 'inspector_read_hits',
    description:
      'Shows what inspector_snapshot, inspector_catch_exceptions or inspector_set_logpoint has recorded, and can wait for it.',
    input: z.strictObject({
      id: probeId,
      after: z.int().min(0).optional().describe('Only hits after the one of this number; 0 by default.'),
      waitMs: z
        .int()
        .min(0)
        .max(limits.maxWaitMs)
        .optional()
        .describe('How long to wait for a hit where there is none yet; 0 by default.'),
    }),
    effect: 'read',
    async execute({ id, after = 0, waitMs = 0 }, { sessionId, signal }) {
      const probe = book.find(sessionId, id);
      await book.sync();
      await book.wait(probe, after, waitMs, signal);
      const hits = probe.hits.filter(({ number }) => number > after);
      const shown: string[] = [];
      for (const hit of hits) {
        const text = describeHit(hit);
        if (shown.length > 0 && shown.join('').length + text.length > MOST) break;
        shown.push(text);
      }
      const left = hits.length - shown.length;
      const state =
        probe.ended === undefined
          ? `Still set:\n${describePlacements(probe, book.placements(probe))}`
          : `Removed: ${probe.ended}.`;
      const none = after === 0 ? 'No hit.' : `No hit after number ${after}.`;
      const more = left === 0 ? [] : [`${left} more: read on with after: ${after + shown.length}.`];
      return {
        text: [describeProbe(probe), ...(hits.length === 0 ? [none] : shown), ...more, state].join('\n\n'),
        data: { id, hits, ended: probe.ended ?? null },
        truncated: left > 0,
      };
    },
  });
}
