import { ScriptedModel, hangs } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

describe('cancel_agent_run', () => {
  it('ends a run at work, and says when there is none', async () => {
    const model = new ScriptedModel([hangs()]);
    const { call, settled } = await startAgent(model);
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    await model.requested(1);
    expect(await call('cancel_agent_run', { session_id })).toMatchObject({
      cancelled: true,
      signalledLiveRun: true,
    });
    expect(await settled(session_id)).toMatchObject({ status: 'aborted', stop_reason: 'cancelled' });
    expect(await call('cancel_agent_run', { session_id })).toMatchObject({
      cancelled: false,
      signalledLiveRun: false,
    });
  });
});
