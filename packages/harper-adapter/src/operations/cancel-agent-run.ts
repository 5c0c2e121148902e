import { z } from 'zod';
import { defineOperation } from './agent-operation.js';
import { fields } from './fields.js';

/** Stops the run of a session and voids what waits for approval; `cancelled: false` when there was nothing to stop. */
export const cancelAgentRun = defineOperation({
  name: 'cancel_agent_run',
  description:
    "Stops a session's run, voids what waits for approval and cancels its followups. The session takes new prompts.",
  input: z.strictObject({ session_id: fields.sessionId }),
  async run({ session_id }, by, { agent }) {
    const { status } = (await agent.get(session_id, { limit: 1 })).header;
    const { cancelled } = await agent.cancel(session_id, by);
    return { session_id, cancelled, signalledLiveRun: cancelled && status === 'running' };
  },
});
