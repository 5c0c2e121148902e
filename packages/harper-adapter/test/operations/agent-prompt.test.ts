import { ScriptedModel, calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

describe('agent_prompt', () => {
  it('answers at once, and the session shows the answer in the shape clients know', async () => {
    const model = new ScriptedModel([
      calls({ name: 'describe_all', arguments: {} }),
      reply('It has one table.'),
    ]);
    const { host, call, settled } = await startAgent(model, { model: 'default', provider: 'anthropic' });
    host.server.answer = () => ({ data: { dog: {} } });
    const receipt = await call('agent_prompt', { message: 'describe the schema', message_id: 'm1' });
    expect(receipt).toMatchObject({ message_id: 'm1', status: 'running', node: 'node-1' });

    const session = await settled(receipt['session_id']);
    expect(session).toMatchObject({
      session_id: receipt['session_id'],
      user: 'admin',
      status: 'completed',
      model: 'default',
      provider: 'anthropic',
      lastError: null,
      stop_reason: 'answered',
      pendingApprovals: [],
      truncated: false,
      node: 'node-1',
      totals: { rounds: 2, tool_calls: 1, prompt_tokens: 200, completion_tokens: 40 },
      cost_usd: 0.00024,
      budget: { spent_usd: 0.00024, cap_usd: 5, remaining_usd: 4.99976 },
    });
    expect(session['messages']).toMatchObject([
      { role: 'user', content: 'describe the schema' },
      { role: 'assistant', toolCalls: [{ name: 'describe_all', arguments: {} }] },
      { role: 'tool' },
      { role: 'assistant', content: 'It has one table.' },
    ]);
    expect(JSON.stringify(session['messages'])).toContain('dog');
    expect(typeof session['createdAt']).toBe('number');
    expect(session).not.toHaveProperty('entries');
    model.assertDone();
  });

  it.each([
    [{}, 400, 'message'],
    [{ message: '' }, 400, 'message'],
    [{ message: ' \n' }, 400, 'message'],
    [{ message: 5 }, 400, 'message'],
    [{ message: 'x', max_turns: 0 }, 400, 'max_turns'],
    [{ message: 'x', max_cost_usd: -1 }, 400, 'max_cost_usd'],
    [{ message: 'x', sesion_id: 'a' }, 400, 'sesion_id'],
    [{ message: 'x'.repeat(262_145) }, 413, '262145'],
    [{ message: 'x', session_id: 'nope' }, 404, 'nope'],
  ])('refuses %# with the status and the field', async (body, statusCode, text) => {
    const { call } = await startAgent(new ScriptedModel([]));
    await expect(call('agent_prompt', body)).rejects.toMatchObject({ statusCode });
    await expect(call('agent_prompt', body)).rejects.toThrow(text);
  });
});
