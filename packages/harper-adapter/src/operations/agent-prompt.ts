import { z } from 'zod';
import { definedFields } from '../defined-fields.js';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';
import { unlessMissing } from './unless-missing.js';

/**
 * Appends a message to a session, or to a new one, and answers at once; the run goes on by itself. A session of
 * Harper's first agent becomes one of this agent by it.
 */
export const agentPrompt = defineOperation({
  name: 'agent_prompt',
  input: z.strictObject({
    message: z.string().refine((text) => text.trim() !== '', 'is empty'),
    session_id: id.optional(),
    message_id: id.optional(),
    max_turns: z.int().min(1).optional(),
    max_cost_usd: z.number().min(0).optional(),
  }),
  async run({ message, session_id, message_id, max_turns, max_cost_usd }, by, { agent, stored, node }) {
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
