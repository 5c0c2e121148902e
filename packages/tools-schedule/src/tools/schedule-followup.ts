import { z } from 'zod';
import { defineTool, InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { Clock, Tool } from '@harperfast/agent-core/contracts';
import { formatDuration } from '../schedule/duration.js';
import type { ScheduleLimits } from '../schedule/limits.js';
import { formatMoment } from '../schedule/moment.js';
import { planRun } from '../schedule/plan-run.js';
import type { Scheduler } from '../schedule/scheduler.js';
import { describeFollowup, followupData } from './describe-followup.js';

const TIME_TEXT = 64;

/** `schedule_followup`: this session gets a prompt later, once or repeatedly. */
export function scheduleFollowup(
  scheduler: Scheduler,
  clock: Clock,
  limits: ScheduleLimits,
  redact: (prompt: string) => string | Promise<string>,
): Tool {
  const range = `${formatDuration(limits.minDelayMs)} to ${formatDuration(limits.maxDelayMs)}`;
  return defineTool({
    name: 'schedule_followup',
    description:
      'Sends yourself a prompt later, in this session, and starts a run with it; it survives restarts. Say when with exactly one of ' +
      `in, at and every. Delays and intervals: ${range}. Durations look like "90s", "5m", "1h30m", "2d".`,
    input: z.strictObject({
      prompt: z.string().min(1).describe('What to do then. Write all you will need to know.'),
      in: z.string().max(TIME_TEXT).optional().describe('Run once, this long from now: "10m".'),
      at: z
        .string()
        .max(TIME_TEXT)
        .optional()
        .describe('Run once, at this ISO time with an offset: "2026-12-01T09:00:00Z".'),
      every: z
        .string()
        .max(TIME_TEXT)
        .optional()
        .describe('Run repeatedly, at this interval, first after one interval: "5m".'),
      times: z
        .int()
        .min(1)
        .optional()
        .describe('With every: how many runs. Runs missed while the server was down count.'),
      until: z
        .string()
        .max(TIME_TEXT)
        .optional()
        .describe(
          `With every: the end, as a duration from now ("1h") or an ISO time. Without times and until it ends after ${formatDuration(limits.maxDelayMs)}.`,
        ),
    }),
    effect: 'write',
    async execute({ prompt, ...when }, { sessionId }) {
      checkPrompt(prompt, limits.promptBytes);
      const now = clock.now();
      const plan = planRun(when, now, limits);
      // Before it is kept: what is shown of it later may be cut, and half a secret is not known as one.
      const followup = await scheduler.schedule({ sessionId, prompt: await redact(prompt) }, plan);
      return {
        text: `Scheduled followup ${describeFollowup(followup, now)}. It is ${formatMoment(now)} now.`,
        data: followupData(followup),
      };
    },
  });
}

function checkPrompt(prompt: string, limit: number): void {
  if (prompt.trim() === '') throw new InvalidRequestError('The prompt is blank: write what to do then');
  const bytes = Buffer.byteLength(prompt);
  if (bytes > limit) {
    throw new InvalidRequestError(
      `The prompt has ${bytes} bytes, and ${limit} is the limit: shorten it, or write it to a file and name that`,
    );
  }
}
