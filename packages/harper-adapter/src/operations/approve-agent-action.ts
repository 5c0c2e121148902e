import { z } from 'zod';
import { definedFields } from '../defined-fields.js';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';

/**
 * Approves or denies one call that waits; when it was the last one, the run goes on. With `remember` the approval
 * becomes a grant: the same tool at the same effect asks no more in this session, until `revoke_agent_grant`.
 */
export const approveAgentAction = defineOperation({
  name: 'approve_agent_action',
  input: z.strictObject({
    session_id: id,
    approval_id: id,
    approved: z.boolean().default(true),
    note: z.string().max(4000).optional(),
    remember: z.literal('session').optional(),
  }),
  async run({ session_id, approval_id, approved, note, remember }, by, { agent }) {
    const decision = await agent.approve({
      sessionId: session_id,
      approvalId: approval_id,
      approved,
      by,
      ...definedFields({ note, remember }),
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
      remember: decision.remember ?? null,
    };
  },
});
