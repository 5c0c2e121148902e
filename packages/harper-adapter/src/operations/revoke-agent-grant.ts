import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { fields } from './fields.js';

/** Takes back what an approval with `remember` granted: the tool asks again, from its next call on. */
export const revokeAgentGrant = defineOperation({
  name: 'revoke_agent_grant',
  description:
    'Takes back what an approval with remember granted: the tool asks again from its next call on.',
  input: z.strictObject({ session_id: fields.sessionId, approval_id: fields.approvalId }),
  async run({ session_id, approval_id }, by, { agent }) {
    await agent.revokeGrant(session_id, approval_id, by);
    return { session_id, id: approval_id, revoked: true, by };
  },
});
