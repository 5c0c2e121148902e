import {
  SCRIPTED_USAGE,
  ScriptedModel,
  calls,
  createFakeClock,
  fails,
  hangs,
  reply,
} from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

const look = calls({ name: 'describe_all', arguments: {} });

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

  it('tells what each model call used and cost, and what is left', async () => {
    const model = new ScriptedModel([
      calls({ name: 'describe_all', arguments: {} }),
      reply('done', { promptTokens: 1200, completionTokens: 10, cachedPromptTokens: 1000 }),
    ]);
    const { call, settled } = await startAgent(model, {
      maxCostUsd: 0.1,
      prices: { default: { input: 3, output: 15, cachedInput: 0.3 } },
    });
    const { session_id } = await call('agent_prompt', { message: 'go' });
    expect(await settled(session_id)).toMatchObject({
      rounds: [
        { seq: 2, model: 'default', prompt_tokens: 100, completion_tokens: 20, cost_usd: 0.0006 },
        { prompt_tokens: 1200, completion_tokens: 10, cached_prompt_tokens: 1000, cost_usd: 0.00105 },
      ],
      totals: { rounds: 2, prompt_tokens: 1300, completion_tokens: 30 },
      cost_usd: 0.00165,
      budget: { spent_usd: 0.00165, cap_usd: 0.1, remaining_usd: 0.09835 },
      queuedAt: null,
    });
  });

  it('says how long a call has waited for approval, and a run for its turn', async () => {
    const clock = createFakeClock(1_000_000);
    const gated = calls({ name: 'drop_table', arguments: { table: 'dog' } });
    const model = new ScriptedModel([gated, hangs()]);
    const { call, settled } = await startAgent(
      model,
      { allowDestructive: true, maxConcurrentRuns: 1 },
      { clock },
    );
    const { session_id } = await call('agent_prompt', { message: 'drop the dogs' });
    expect((await settled(session_id))['status']).toBe('awaiting_approval');
    await clock.advance(5_000);
    expect(await call('get_agent_session', { session_id })).toMatchObject({
      pendingApprovals: [{ toolName: 'drop_table', createdAt: 1_000_000, age_ms: 5_000 }],
    });
    expect(await call('list_agent_sessions')).toMatchObject({
      sessions: [{ session_id, pendingApprovals: [{ toolName: 'drop_table', age_ms: 5_000 }] }],
    });
    await call('agent_prompt', { message: 'takes the only slot' });
    const queued = await call('agent_prompt', { message: 'waits' });
    expect(await call('get_agent_session', { session_id: queued['session_id'] })).toMatchObject({
      status: 'running',
      queuedAt: 1_005_000,
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

  it.each([
    ['answered', [look, reply('done')], {}, 'completed', 2, 1],
    ['max_turns', [look, look], { max_turns: 2 }, 'error', 2, 2],
    ['budget', [], { max_cost_usd: 0 }, 'error', 0, 0],
    ['model_error', [look, fails(new Error('the provider is down'))], {}, 'error', 1, 1],
    ['repeated_call', [look, look, look, look], {}, 'error', 4, 4],
  ] as const)(
    'tells how a run came to %s, and its sums',
    async (reason, script, caps, status, rounds, tools) => {
      const { call, settled } = await startAgent(new ScriptedModel([...script]));
      const { session_id } = await call('agent_prompt', { message: 'go', ...caps });
      const session = await settled(session_id);
      expect(session).toMatchObject({
        status,
        stop_reason: reason,
        totals: {
          rounds,
          tool_calls: tools,
          prompt_tokens: rounds * SCRIPTED_USAGE.promptTokens,
          completion_tokens: rounds * SCRIPTED_USAGE.completionTokens,
        },
      });
      expect(session['cost_usd']).toBeCloseTo(rounds * 0.000_12, 9);
      expect(session['lastError'] === null).toBe(reason === 'answered');
    },
  );

  it('waits for an entry after the one the client has, and no longer than asked', async () => {
    const clock = createFakeClock(1_000_000);
    const { call, settled } = await startAgent(
      new ScriptedModel([reply('hi'), reply('again')]),
      {},
      { clock },
    );
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    const { seq } = await settled(session_id);
    const waiting = call('get_agent_session', { session_id, after_seq: seq, wait_seconds: 30 });
    await call('agent_prompt', { session_id, message: 'more' });
    expect((await waiting)['entries']).toMatchObject([{ kind: 'prompt', text: 'more' }]);

    const { seq: last } = await settled(session_id);
    const silent = call('get_agent_session', { session_id, after_seq: last, wait_seconds: 30 });
    await clock.advance(30_000);
    expect(await silent).toMatchObject({ status: 'completed', entries: [] });
    await expect(call('get_agent_session', { session_id, wait_seconds: 5 })).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(
      call('get_agent_session', { session_id: 'nope', after_seq: 0, wait_seconds: 5 }),
    ).rejects.toMatchObject({ statusCode: 404 });
  });
});
