import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';

/** Appends a message to a session, or to a new one, and answers at once; the run goes on by itself. */
export const agentPrompt = defineOperation({
  name: 'agent_prompt',
  openToAgentUser: false,
  input: z.strictObject({
    message: z.string().refine((text) => text.trim() !== '', 'is empty'),
    session_id: id.optional(),
    message_id: id.optional(),
    max_turns: z.int().min(1).optional(),
    max_cost_usd: z.number().min(0).optional(),
  }),
  async run({ message, session_id, message_id, max_turns, max_cost_usd }, by, { agent, node }) {
    const { sessionId, messageId, status } = await agent.prompt({
      message,
      by,
      source: 'operator',
      ...(session_id === undefined ? {} : { sessionId: session_id }),
      ...(message_id === undefined ? {} : { messageId: message_id }),
      ...(max_turns === undefined ? {} : { maxTurns: max_turns }),
      ...(max_cost_usd === undefined ? {} : { maxCostUsd: max_cost_usd }),
    });
    return { session_id: sessionId, message_id: messageId, status, node };
  },
});
