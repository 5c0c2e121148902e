import { ScriptedModel, calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

describe('get_agent_session', () => {
  it('answers entries in the range asked for, to whoever follows', async () => {
    const { call, settled } = await startAgent(new ScriptedModel([reply('hi')]));
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    await settled(session_id);
    const page = await call('get_agent_session', { session_id, after_seq: 1, limit: 1 });
    expect(page['entries']).toMatchObject([{ seq: 2, kind: 'round', content: 'hi' }]);
    expect(page['truncated']).toBe(true);
    await expect(call('get_agent_session', { session_id: 'nope' })).rejects.toMatchObject({
      statusCode: 404,
    });
  });

  it('says what ended a run, and what it had spent', async () => {
    const model = new ScriptedModel(() => calls({ name: 'describe_all', arguments: {} }));
    const { call, settled } = await startAgent(model);
    const { session_id } = await call('agent_prompt', { message: 'go', max_turns: 2 });
    const session = await settled(session_id);
    expect(session).toMatchObject({
      status: 'error',
      stop_reason: 'max_turns',
      lastError: { code: 'max_turns', limit: 2 },
    });
    expect(model.requestCount).toBe(2);
  });
});
