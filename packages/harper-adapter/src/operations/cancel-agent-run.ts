import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { id } from './fields.js';

/** Stops the run of a session and voids what waits for approval; `cancelled: false` when there was nothing to stop. */
export const cancelAgentRun = defineOperation({
  name: 'cancel_agent_run',
  input: z.strictObject({ session_id: id }),
  async run({ session_id }, by, { agent }) {
    const { cancelled } = await agent.cancel(session_id, by);
    return { session_id, cancelled };
  },
});
