import { z } from 'zod';
import { definedFields } from '../defined-fields.js';
import { defineOperation } from './agent-operation.js';
import { fields } from './fields.js';

/**
 * Approves or denies one call that waits; when it was the last one, the run goes on. With `remember` the approval
 * becomes a grant: the same tool at the same effect asks no more in this session, until `revoke_agent_grant`.
 */
export const approveAgentAction = defineOperation({
  name: 'approve_agent_action',
  description:
    'Approves or denies one call that waits in a session, once, with exactly the arguments that get_agent_session ' +
    'shows. When it was the last one, the run goes on.',
  input: z.strictObject({
    session_id: fields.sessionId,
    approval_id: fields.approvalId,
    approved: z.boolean().default(true).describe('false denies the call'),
    note: z.string().max(4000).optional().describe('Of a denial it reaches the model'),
    remember: z
      .literal('session')
      .optional()
      .describe(
        'The same tool at the same effect asks no more in this session; only for write and disruptive calls',
      ),
  }),
  async run({ session_id, approval_id, approved, note, remember }, by, { agent, checkUser }) {
    // What was approved would be refused now, and the approval be used up.
    if (approved) await checkUser();
    const { pendingApprovals } = await agent.get(session_id, { limit: 1 });
    const asked = pendingApprovals.find((ask) => ask.approvalId === approval_id);
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
      ...(asked && { arguments: asked.arguments, reason: asked.effect, createdAt: asked.at }),
      resolved: true,
      approved: decision.approved,
      resolvedAt: decision.decidedAt,
      by: decision.by,
      note: decision.note ?? null,
      remember: decision.remember ?? null,
    };
  },
});
