import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';
import { sessionAnswer } from './session-answer.js';

/**
 * One session: its transcript, what waits for approval, what it cost. With `after_seq` or `limit` the journal's
 * entries in that range come too, for whoever follows a session.
 */
export const getAgentSession = defineOperation({
  name: 'get_agent_session',
  openToAgentUser: true,
  input: z.strictObject({
    session_id: id,
    after_seq: z.int().min(0).optional(),
    limit: z.int().min(1).max(10_000).optional(),
  }),
  async run({ session_id, after_seq, limit }, _by, context) {
    const paged = after_seq !== undefined || limit !== undefined;
    const { header, messages, entries, pendingApprovals, budget, truncated } = await context.agent.get(
      session_id,
      {
        ...(after_seq === undefined ? {} : { afterSeq: after_seq }),
        ...(limit === undefined ? {} : { limit }),
      },
    );
    return {
      ...sessionAnswer(header, context),
      messages,
      pendingApprovals: pendingApprovals.map((ask) => ({
        id: ask.approvalId,
        toolName: ask.tool,
        arguments: ask.arguments,
        toolCallId: ask.callId,
        reason: ask.effect,
        createdAt: ask.at,
      })),
      ...(paged ? { entries } : {}),
      budget: { spent_usd: budget.spentUsd, cap_usd: budget.capUsd, remaining_usd: budget.remainingUsd },
      truncated,
    };
  },
});
