import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';

/** Takes back what an approval with `remember` granted: the tool asks again, from its next call on. */
export const revokeAgentGrant = defineOperation({
  name: 'revoke_agent_grant',
  input: z.strictObject({ session_id: id, approval_id: id }),
  async run({ session_id, approval_id }, by, { agent }) {
    await agent.revokeGrant(session_id, approval_id, by);
    return { session_id, id: approval_id, revoked: true, by };
  },
});
