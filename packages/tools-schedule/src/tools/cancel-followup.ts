import { z } from 'zod';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Scheduler } from '../schedule/scheduler.js';
import { followupData } from './describe-followup.js';

/** `cancel_followup`: takes back what this session has scheduled. */
export function cancelFollowup(scheduler: Scheduler): Tool {
  return defineTool({
    name: 'cancel_followup',
    description:
      'Cancels a followup of this session, all its coming runs included. list_followups tells the ids.',
    input: z.strictObject({ id: z.string().min(1).max(64).describe('The id of the followup.') }),
    effect: 'write',
    async execute({ id }, { sessionId }) {
      const followup = await scheduler.cancel(sessionId, id);
      return { text: `Followup ${id} is cancelled.`, data: followupData(followup) };
    },
  });
}
