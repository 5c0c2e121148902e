import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { fields } from './fields.js';
import { unlessMissing } from './unless-missing.js';

/** Removes a session with its whole journal, and ends its run first. Nothing brings it back. */
export const deleteAgentSession = defineOperation({
  name: 'delete_agent_session',
  description:
    'Ends the run of a session and removes the session with all its entries. Nothing brings it back.',
  input: z.strictObject({ session_id: fields.sessionId }),
  async run({ session_id }, by, { agent, stored }) {
    const answer = { session_id, deleted: true };
    return unlessMissing(
      agent.delete(session_id, by).then(() => answer),
      async () => ((await stored.firstAgent.remove(session_id)) ? answer : undefined),
    );
  },
});
