import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';
import { unlessMissing } from './unless-missing.js';

/** Removes a session with its whole journal, and ends its run first. Nothing brings it back. */
export const deleteAgentSession = defineOperation({
  name: 'delete_agent_session',
  input: z.strictObject({ session_id: id }),
  async run({ session_id }, by, { agent, stored }) {
    const answer = { session_id, deleted: true };
    return unlessMissing(
      agent.delete(session_id, by).then(() => answer),
      async () => ((await stored.firstAgent.remove(session_id)) ? answer : undefined),
    );
  },
});
