import { z } from 'zod';
import { definedFields } from '../defined-fields.js';
import { defineOperation } from './agent-operation.js';
import { fields } from './fields.js';
import { unlessMissing } from './unless-missing.js';

/**
 * Appends a message to a session, or to a new one, and answers at once; the run goes on by itself. A session of
 * Harper's first agent becomes one of this agent by it.
 */
export const agentPrompt = defineOperation({
  name: 'agent_prompt',
  description:
    'Gives the agent a message, in a new session or in one that exists, and answers at once with the session id. ' +
    'The run goes on by itself: follow it with get_agent_session.',
  input: z.strictObject({
    message: z
      .string()
      .refine((text) => text.trim() !== '', 'is empty')
      .describe('What the agent should do'),
    session_id: fields.sessionId.optional(),
    message_id: fields.messageId.optional(),
    max_turns: z.int().min(1).optional().describe('Cap of model calls for this prompt; it only tightens'),
    max_cost_usd: z
      .number()
      .min(0)
      .optional()
      .describe('Cap in US dollars for this prompt; it only tightens'),
  }),
  async run(
    { message, session_id, message_id, max_turns, max_cost_usd },
    by,
    { agent, stored, node, checkUser },
  ) {
    await checkUser();
    const prompt = () =>
      agent.prompt({
        message,
        by,
        source: 'operator',
        ...definedFields({
          sessionId: session_id,
          messageId: message_id,
          maxTurns: max_turns,
          maxCostUsd: max_cost_usd,
        }),
      });
    const { sessionId, messageId, status } = await unlessMissing(prompt(), async () =>
      session_id !== undefined && (await stored.firstAgent.takeOver(session_id)) ? prompt() : undefined,
    );
    return { session_id: sessionId, message_id: messageId, status, node };
  },
});
