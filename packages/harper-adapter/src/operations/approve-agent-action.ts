import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';

/** Approves or denies one call that waits. When it was the last one, the run goes on. */
export const approveAgentAction = defineOperation({
  name: 'approve_agent_action',
  openToAgentUser: false,
  input: z.strictObject({
    session_id: id,
    approval_id: id,
    approved: z.boolean().default(true),
    note: z.string().max(4000).optional(),
  }),
  async run({ session_id, approval_id, approved, note }, by, { agent }) {
    const decision = await agent.approve({
      sessionId: session_id,
      approvalId: approval_id,
      approved,
      by,
      ...(note === undefined ? {} : { note }),
    });
    return {
      session_id,
      id: decision.approvalId,
      toolName: decision.tool,
      toolCallId: decision.callId,
      resolved: true,
      approved: decision.approved,
      resolvedAt: decision.decidedAt,
      by: decision.by,
      note: decision.note ?? null,
    };
  },
});
