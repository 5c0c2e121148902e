import { answers, calls, reply } from '@harperfast/agent-testkit';
import type { Step } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import type { RoundEntry } from '../../src/index.js';
import { createFixture, recordingTool } from '../support/agent-fixture.js';
import type { AgentSessionView } from '../../src/index.js';

const look = () => recordingTool('look', 'read').tool;
const roundsOf = (view: AgentSessionView): readonly RoundEntry[] =>
  view.entries.filter((entry) => entry.kind === 'round');
let calledWith = 0;
const step = (usage: unknown): Step =>
  answers({
    content: '',
    toolCalls: [{ name: 'look', arguments: { value: String(calledWith++) } }],
    finishReason: 'tool_calls',
    usage,
  });

describe('the budget', () => {
  it('ends an endless run at the default cap, with what was spent', async () => {
    // Two dollars a call, as long as the output limit lets it; the default cap is five.
    const { agent, quiet } = createFixture(
      ({ maxTokens = 0 }) => step({ promptTokens: 50, completionTokens: Math.min(16_000, maxTokens) }),
      { tools: [look()], prices: { price: () => ({ input: 1, output: 125 }) } },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(view.header).toMatchObject({
      status: 'error',
      stopReason: 'budget',
      lastError: { code: 'budget', limit: 5 },
    });
    expect(view.header.lastError?.spent).toBe(view.budget.spentUsd);
    expect(view.budget.spentUsd).toBeGreaterThan(4.9);
    expect(view.budget.spentUsd).toBeLessThanOrEqual(5);
    expect(roundsOf(view).some((round) => round.overrun)).toBe(false);
  });

  it('lowers the output limit to what is left, and a reply cut there ends the run', async () => {
    const { agent, model, quiet } = createFixture(
      [
        answers({
          content: 'so far',
          finishReason: 'length',
          usage: { promptTokens: 20, completionTokens: 900 },
        }),
      ],
      { settings: { maxCostUsd: 0.01 }, prices: { price: () => ({ input: 1, output: 10 }) } },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    const [round] = roundsOf(view);
    expect(model.requests[0]?.maxTokens).toBe(round?.loweredMaxTokens);
    expect(round?.loweredMaxTokens).toBeLessThan(1000);
    expect(round?.reservedMicros).toBeLessThanOrEqual(10_000);
    expect(view.header.stopReason).toBe('budget');
    model.assertDone();
  });

  it('starts no call that is not worth its input', async () => {
    const { agent, model, quiet } = createFixture([], {
      settings: { maxCostUsd: 0.001 },
      prices: { price: () => ({ input: 1, output: 10 }) },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    expect((await quiet(sessionId)).header).toMatchObject({ stopReason: 'budget', totals: { rounds: 0 } });
    model.assertDone();
  });

  it('lets a cap of zero make only calls that cost nothing', async () => {
    const paid = createFixture([], { settings: { maxCostUsd: 0 } });
    const { sessionId } = await paid.agent.prompt({ message: 'Go', by: 'admin' });
    expect((await paid.quiet(sessionId)).header.stopReason).toBe('budget');

    const free = createFixture([reply('ok')], {
      settings: { maxCostUsd: 0 },
      prices: { price: () => ({ input: 0, output: 0 }) },
    });
    const other = await free.agent.prompt({ message: 'Go', by: 'admin' });
    expect((await free.quiet(other.sessionId)).header.status).toBe('completed');
  });

  it('refuses a model whose price is not known, unless that is allowed', async () => {
    const unknown = { price: () => undefined };
    const refused = createFixture([], { prices: unknown, settings: { model: 'mystery' } });
    const first = await refused.agent.prompt({ message: 'Go', by: 'admin' });
    expect((await refused.quiet(first.sessionId)).header).toMatchObject({
      stopReason: 'budget',
      lastError: { code: 'unpriced_model', message: expect.stringContaining("'mystery'") },
    });
    const allowed = createFixture([reply('ok')], { prices: unknown, settings: { unpricedModels: 'allow' } });
    const second = await allowed.agent.prompt({ message: 'Go', by: 'admin' });
    expect((await allowed.quiet(second.sessionId)).header).toMatchObject({
      status: 'completed',
      totals: { costMicros: 0 },
    });
  });

  it.each([
    ['missing', undefined],
    ['negative', { promptTokens: -1, completionTokens: 5 }],
    ['not whole', { promptTokens: 1.5, completionTokens: 5 }],
    ['not numbers', { promptTokens: 'many', completionTokens: 5 }],
    ['all zero', { promptTokens: 0, completionTokens: 0 }],
  ])('books its own reservation, marked, when the usage is %s', async (_what, usage) => {
    const { agent, quiet } = createFixture([answers({ content: 'ok', finishReason: 'stop', usage })]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const [round] = roundsOf(await quiet(sessionId));
    expect(round).toMatchObject({ usageEstimated: true, costMicros: round?.reservedMicros });
    expect(round?.costMicros).toBeGreaterThan(0);
  });

  it('prices cached input on its own and never counts it twice', async () => {
    const { agent, quiet } = createFixture(
      [reply('ok', { promptTokens: 20_000, cachedPromptTokens: 16_000, completionTokens: 900 })],
      { prices: { price: () => ({ input: 3, cachedInput: 0.3, output: 15 }) } },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    expect((await quiet(sessionId)).header.totals.costMicros).toBe(4_000 * 3 + 16_000 * 0.3 + 900 * 15);
  });

  it('prices what was written to a cache on its own', async () => {
    const { agent, quiet } = createFixture(
      [
        reply('ok', {
          promptTokens: 21_007,
          cachedPromptTokens: 20_000,
          cacheWritePromptTokens: 1_000,
          completionTokens: 900,
        }),
      ],
      { prices: { price: () => ({ input: 3, cachedInput: 0.3, cacheWriteInput: 3.75, output: 15 }) } },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    expect((await quiet(sessionId)).header.totals.costMicros).toBe(
      7 * 3 + 20_000 * 0.3 + 1_000 * 3.75 + 900 * 15,
    );
  });

  it('takes a prompt that is less than its parts for what did not pass the cache', async () => {
    const usage = {
      promptTokens: 7,
      cachedPromptTokens: 20_000,
      cacheWritePromptTokens: 1_000,
      completionTokens: 900,
    };
    const { agent, quiet } = createFixture([reply('ok', usage)], {
      prices: { price: () => ({ input: 3, cachedInput: 0.3, cacheWriteInput: 3.75, output: 15 }) },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(view.header.totals).toMatchObject({
      promptTokens: 21_007,
      costMicros: 7 * 3 + 20_000 * 0.3 + 1_000 * 3.75 + 900 * 15,
    });
  });

  it.each([
    ['read from a cache', { cachedInput: 30 }],
    ['written to a cache', { cacheWriteInput: 30 }],
  ])('reserves for input that is %s what it costs where that is more than fresh input', async (_, dearer) => {
    const price = { input: 3, output: 15, ...dearer };
    const { agent, quiet } = createFixture([reply('ok', { promptTokens: 100, completionTokens: 10 })], {
      prices: { price: () => price },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    const [round] = roundsOf(view);
    const { maxTokens } = agent.settings;
    const input = (round?.reservedMicros ?? 0) - maxTokens * price.output;
    expect(input).toBe(Math.ceil((round?.estimatedPromptTokens ?? 0) * 1.3) * 30);
  });

  it('books a call that cost more than was reserved in full, marks it, and starts no other', async () => {
    const { agent, model, quiet } = createFixture([step({ promptTokens: 900_000, completionTokens: 10 })], {
      tools: [look()],
      settings: { maxCostUsd: 0.5 },
      prices: { price: () => ({ input: 1, output: 10 }) },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(roundsOf(view)).toMatchObject([{ overrun: true, costMicros: 900_100 }]);
    expect(view.header).toMatchObject({ stopReason: 'budget', lastError: { spent: 0.9001, limit: 0.5 } });
    expect(view.budget.remainingUsd).toBe(0);
    model.assertDone();
  });

  it('corrects its estimates by what the provider reports', async () => {
    const { agent, quiet } = createFixture(
      [
        step({ promptTokens: 3_000, completionTokens: 10 }),
        reply('ok', { promptTokens: 3_100, completionTokens: 10 }),
      ],
      { tools: [look()] },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const [first, second] = roundsOf(await quiet(sessionId));
    expect(first?.overrun).toBeUndefined();
    expect(second?.reservedMicros).toBeGreaterThan((first?.reservedMicros ?? 0) + 500);
  });

  it('goes on in the same session once the cap is raised, and only then', async () => {
    const { agent, quiet } = createFixture(
      [reply('one', { promptTokens: 100, completionTokens: 30 }), reply('two')],
      {
        settings: { maxCostUsd: 0.02, maxTokens: 1000 },
        prices: { price: () => ({ input: 1, output: 10 }) },
      },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await quiet(sessionId);
    agent.setConfig({ maxCostUsd: 0.0004 });
    await agent.prompt({ message: 'More', sessionId, by: 'admin' });
    expect((await quiet(sessionId)).header.stopReason).toBe('budget');
    agent.setConfig({ maxCostUsd: 0.02 });
    expect((await agent.get(sessionId)).header.status).toBe('error');
    await agent.prompt({ message: 'More', sessionId, by: 'admin' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
  });

  it('lets a prompt cap its own run below the session', async () => {
    const { agent, quiet } = createFixture(() => step({ promptTokens: 1_000, completionTokens: 100 }), {
      tools: [look()],
      settings: { maxTokens: 500 },
      prices: { price: () => ({ input: 1, output: 10 }) },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin', maxCostUsd: 0.01 });
    const view = await quiet(sessionId);
    expect(view.header).toMatchObject({ stopReason: 'budget', lastError: { limit: 0.01 } });
    expect(view.header.totals.costMicros).toBeLessThanOrEqual(10_000);
    expect(view.header.totals.costMicros).toBeGreaterThan(0);
  });
});

it('counts turns, tokens and cost the same however a run ends', async () => {
  const { agent, quiet } = createFixture(
    [calls({ name: 'look', arguments: {} }), reply('ok', { promptTokens: 10, completionTokens: 1 })],
    { tools: [look()] },
  );
  const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
  expect((await quiet(sessionId)).header.totals).toEqual({
    rounds: 2,
    toolCalls: 1,
    promptTokens: 110,
    completionTokens: 21,
    costMicros: 300 + 20,
  });
});
