import { z } from 'zod';
import { ConflictError, defineTool } from '@harperfast/agent-core/contracts';
import type { Clock, Tool } from '@harperfast/agent-core/contracts';
import type { AlertOperator } from '../schedule/alert.js';

const TEXT_CHARACTERS = 2000;
const HOUR_MS = 3_600_000;

/** `alert_operator`: calls a person's attention to this session. */
export function alertOperator(alert: AlertOperator, clock: Clock, perHour: number): Tool {
  /** When each session raised its alerts of the last hour. */
  const raised = new Map<string, readonly number[]>();

  function take(sessionId: string): void {
    const now = clock.now();
    for (const [id, times] of raised) {
      const recent = times.filter((at) => Math.abs(now - at) < HOUR_MS);
      if (recent.length === 0) raised.delete(id);
      else raised.set(id, recent);
    }
    const times = raised.get(sessionId) ?? [];
    if (times.length >= perHour) {
      throw new ConflictError(
        `This session has raised ${times.length} alerts within an hour, and ${perHour} is the limit: say it in your answer, or later`,
        { code: 'alert_limit' },
      );
    }
    raised.set(sessionId, [...times, now]);
  }

  return defineTool({
    name: 'alert_operator',
    description:
      'Calls the attention of a person to this session, at once: use it when something is wrong or needs a decision, not for ' +
      'progress. Say what happened, where, and what should be done.',
    input: z.strictObject({
      level: z
        .enum(['info', 'warning', 'critical'])
        .describe('critical: somebody has to act now; warning: soon; info: good to know.'),
      message: z.string().regex(/\S/, 'It is blank').max(TEXT_CHARACTERS),
    }),
    effect: 'write',
    async execute({ level, message }, { sessionId }) {
      take(sessionId);
      await alert({ sessionId, level, text: message });
      return { text: `The operator is alerted (${level}).` };
    },
  });
}
