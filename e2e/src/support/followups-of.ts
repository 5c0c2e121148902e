import { z } from 'zod';
import type { SessionAnswer } from './session-answer.js';

const followupSchema = z.object({
  kind: z.literal('prompt'),
  source: z.literal('followup'),
  messageId: z.string(),
  text: z.string(),
});

/** The prompts of followups that a session has taken, in order, with their slot: the number of their due time. */
export function followupsOf({ entries }: SessionAnswer) {
  return entries.flatMap((entry) => {
    const parsed = followupSchema.safeParse(entry);
    if (!parsed.success) return [];
    const { messageId, text } = parsed.data;
    return [{ messageId, text, slot: Number(messageId.split(':').at(-1)) }];
  });
}
