import { STATUSES } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { sessionAnswer } from './session-answer.js';

/** The sessions of this server, most recently updated first, without their transcripts. */
export const listAgentSessions = defineOperation({
  name: 'list_agent_sessions',
  openToAgentUser: true,
  input: z.strictObject({
    status: z.enum(STATUSES).optional(),
    limit: z.int().min(1).max(1000).default(100),
    cursor: z.string().min(1).max(1000).optional(),
  }),
  async run({ status, limit, cursor }, _by, context) {
    const page = await context.agent.list({
      limit,
      ...(status === undefined ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return {
      sessions: page.items.map((header) => ({
        ...sessionAnswer(header, context),
        pendingApprovals: header.pendingApprovals.map(({ approvalId, callId, tool, effect, at }) => ({
          id: approvalId,
          toolName: tool,
          toolCallId: callId,
          reason: effect,
          createdAt: at,
        })),
      })),
      cursor: page.cursor ?? null,
    };
  },
});
