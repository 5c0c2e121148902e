import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Clock, Followup, Tool } from '@harperfast/agent-core/contracts';
import { formatMoment } from '../schedule/moment.js';
import type { Scheduler } from '../schedule/scheduler.js';
import { describeFollowup, followupData } from './describe-followup.js';

const PROMPT_CHARACTERS = 200;

/** `list_followups`: what this session has scheduled. */
export function listFollowups(scheduler: Scheduler, clock: Clock): Tool {
  return defineTool({
    name: 'list_followups',
    description:
      'Lists the followups of this session: those to come, next one first, and what became of the others of the last days; long prompts are shortened.',
    input: z.strictObject({}),
    effect: 'read',
    async execute(_input, { sessionId }) {
      const followups = await scheduler.list(sessionId);
      const now = clock.now();
      const head =
        followups.length === 0
          ? 'This session has no followups.'
          : `This session has ${followups.length} ${followups.length === 1 ? 'followup' : 'followups'}:`;
      const lines = followups.map(
        (followup) => `- ${describeFollowup(followup, now)}\n  ${promptStart(followup)}`,
      );
      return {
        text: [`${head} It is ${formatMoment(now)} now.`, ...lines].join('\n'),
        data: followups.map(followupData),
        truncated: followups.some(isLong),
      };
    },
  });
}

function isLong({ prompt }: Followup): boolean {
  return prompt.length > PROMPT_CHARACTERS;
}

function promptStart(followup: Followup): string {
  const { prompt } = followup;
  if (!isLong(followup)) return JSON.stringify(prompt);
  // Half a character at the cut goes too.
  const start = prompt.slice(0, PROMPT_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
  return `${JSON.stringify(start)}… (${prompt.length - start.length} more characters)`;
}
