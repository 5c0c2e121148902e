import { answers, calls, fails, hangs, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createFixture, kindsOf, recordingTool, undelimited } from '../support/agent-fixture.js';

describe('a run', () => {
  it('answers a prompt and journals it', async () => {
    const { agent, model, quiet } = createFixture([reply('Hello there')]);
    const receipt = await agent.prompt({ message: 'Hi', by: 'admin' });
    expect(receipt).toEqual({ sessionId: 'ses_1', messageId: 'msg_2', status: 'running' });
    const view = await quiet(receipt.sessionId);
    expect(kindsOf(view)).toEqual(['prompt', 'round', 'end']);
    expect(view.header).toMatchObject({ status: 'completed', stopReason: 'answered', title: 'Hi' });
    expect(view.header.totals).toEqual({
      rounds: 1,
      toolCalls: 0,
      promptTokens: 100,
      completionTokens: 20,
      costMicros: 300,
    });
    model.assertDone();
  });

  it('runs the tools the model asks for and sends it their results in order', async () => {
    const look = recordingTool('look', 'read');
    const { agent, model, quiet } = createFixture(
      [
        calls({ name: 'look', arguments: { value: 'a' } }, { name: 'look', arguments: { value: 'b' } }),
        reply('done'),
      ],
      { tools: [look.tool] },
    );
    const { sessionId } = await agent.prompt({ message: 'Look', by: 'admin' });
    const view = await quiet(sessionId);
    expect(kindsOf(view)).toEqual(['prompt', 'round', 'result:ok', 'result:ok', 'round', 'end']);
    const delimiter = view.header.delimiter;
    expect(model.requests[1]?.messages).toEqual([
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'call_2_0', name: 'look', arguments: { value: 'a' } },
          { id: 'call_2_1', name: 'look', arguments: { value: 'b' } },
        ],
      },
      { role: 'tool', toolCallId: 'call_2_0', content: `<${delimiter}>\nlook got a\n</${delimiter}>` },
      { role: 'tool', toolCallId: 'call_2_1', content: `<${delimiter}>\nlook got b\n</${delimiter}>` },
    ]);
    model.assertDone();
  });

  it('runs reads of one round side by side and calls with effects in order', async () => {
    const order: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const look = recordingTool('look', 'read', async (value) => {
      order.push(`start ${value}`);
      if (value === 'a') await gate;
      else release();
      order.push(`end ${value}`);
      return value;
    });
    const save = recordingTool('save', 'write', async (value) => {
      order.push(`start ${value}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`end ${value}`);
      return value;
    });
    const { agent, quiet } = createFixture(
      [
        calls({ name: 'look', arguments: { value: 'a' } }, { name: 'look', arguments: { value: 'b' } }),
        calls({ name: 'save', arguments: { value: 'c' } }, { name: 'save', arguments: { value: 'd' } }),
        reply('done'),
      ],
      { tools: [look.tool, save.tool] },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await quiet(sessionId);
    expect(order).toEqual(['start a', 'start b', 'end b', 'end a', 'start c', 'end c', 'start d', 'end d']);
  });

  it('tells the model of unknown tools, wrong arguments and failing tools, and goes on', async () => {
    const broken = recordingTool('broken', 'read', () => {
      throw new Error('it broke');
    });
    const { agent, quiet } = createFixture(
      [
        calls(
          { name: 'brokn', arguments: {} },
          { name: 'broken', arguments: { value: 7 } },
          { name: 'broken', arguments: '{"value":' },
          { name: 'broken', arguments: {} },
          { name: '__proto__', arguments: {} },
        ),
        reply('I see'),
      ],
      { tools: [broken.tool] },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    const texts = view.entries.flatMap((entry) =>
      entry.kind === 'result' ? [`${entry.outcome}: ${entry.text}`] : [],
    );
    expect(texts.toSorted()).toEqual([
      expect.stringContaining('error: it broke'),
      expect.stringContaining('do not fit:\n✖ Invalid input: expected string, received number\n  → at value'),
      expect.stringContaining('not usable: they are not valid JSON'),
      expect.stringContaining('There is no tool named "__proto__".'),
      expect.stringContaining('There is no tool named "brokn". The nearest names are broken.'),
    ]);
    expect(view.header.status).toBe('completed');
    expect(broken.seen).toEqual(['']);
  });

  it('cuts a large result on a character boundary and says so', async () => {
    const big = recordingTool('big', 'read', () => 'あ'.repeat(1000));
    const { agent, model, quiet } = createFixture([calls({ name: 'big', arguments: {} }), reply('ok')], {
      tools: [big.tool],
      settings: { maxResultBytes: 1024 },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    const result = view.entries.find((entry) => entry.kind === 'result');
    expect(result).toMatchObject({ truncated: true, bytes: 3000 });
    const read = undelimited(model.requests[1]?.messages.at(-1)?.content);
    expect(read).toMatch(/^あ+\n\[cut: 3000 bytes in all/);
    expect(Buffer.byteLength(read)).toBeLessThanOrEqual(1024);
  });

  it.each([
    ['cut at the output limit', answers({ content: 'par', finishReason: 'length' }), 'cut_short'],
    [
      'cut in a call',
      answers({ content: '', finishReason: 'length', toolCalls: [{ name: 'save', arguments: {} }] }),
      'cut_short',
    ],
    ['filtered', answers({ content: '', finishReason: 'content_filter' }), 'cut_short'],
    ['empty', answers({ content: '', toolCalls: [] }), 'empty_reply'],
    ['blank', answers({ content: ' \n' }), 'empty_reply'],
    ['null', answers({ content: null }), 'empty_reply'],
    ['without content', answers({}), 'empty_reply'],
  ])('asks once more after a reply that is %s, then ends', async (_what, step, reason) => {
    const save = recordingTool('save', 'write');
    const { agent, model, quiet } = createFixture([step, step, reply('fine')], { tools: [save.tool] });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const ended = await quiet(sessionId);
    expect(ended.header).toMatchObject({ status: 'error', stopReason: reason, lastError: { code: reason } });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/^\[agent\] /),
    });
    expect(save.seen).toEqual([]);
    await agent.prompt({ message: 'Again', sessionId, by: 'admin' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    model.assertDone();
  });

  it('warns at the third equal call in a row and ends the run at the fourth', async () => {
    const look = recordingTool('look', 'read');
    const same = calls({ name: 'look', arguments: { value: 'x' } });
    const { agent, model, quiet } = createFixture([same, same, same, same], { tools: [look.tool] });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(view.header).toMatchObject({ status: 'error', stopReason: 'repeated_call' });
    expect(look.seen).toHaveLength(3);
    expect(undelimited(model.requests[2]?.messages.at(-1)?.content)).toBe('look got x');
    expect(model.requests[3]?.messages.at(-1)?.content).toContain('for the 3rd time in a row');
    expect(kindsOf(view).slice(-3)).toEqual(['round', 'result:cancelled', 'end']);
  });

  it('takes a round of several calls that comes again for repetition, too', async () => {
    const look = recordingTool('look', 'read');
    const same = calls(
      { name: 'look', arguments: { value: 'x' } },
      { name: 'look', arguments: { value: 'y' } },
    );
    const { agent, quiet } = createFixture([same, same, same, same], { tools: [look.tool] });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    expect((await quiet(sessionId)).header.stopReason).toBe('repeated_call');
    expect(look.seen).toHaveLength(6);
  });

  it('does not take alternating calls for repetition', async () => {
    const look = recordingTool('look', 'read');
    const step = (value: string) => calls({ name: 'look', arguments: { value } });
    const script = Array.from({ length: 20 }, (_, index) => step(index % 2 === 0 ? 'a' : 'b'));
    const { agent, quiet } = createFixture([...script, reply('ok')], { tools: [look.tool] });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
  });

  it('ends at the turn cap, says so, keeps the work, and goes on with the next prompt', async () => {
    const look = recordingTool('look', 'read');
    const step = (value: string) => calls({ name: 'look', arguments: { value } });
    const { agent, model, quiet } = createFixture([step('a'), step('b'), reply('done')], {
      tools: [look.tool],
      settings: { maxTurns: 2 },
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const ended = await quiet(sessionId);
    expect(ended.header).toMatchObject({
      status: 'error',
      stopReason: 'max_turns',
      lastError: { code: 'max_turns', spent: 2, limit: 2 },
    });
    expect(kindsOf(ended)).toEqual(['prompt', 'round', 'result:ok', 'round', 'result:ok', 'end']);
    await agent.prompt({ message: 'Go on', sessionId, by: 'admin' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    model.assertDone();
  });

  it('lets a prompt tighten the turn cap, never widen it', async () => {
    const look = recordingTool('look', 'read');
    const endless = (): ReturnType<typeof calls> =>
      calls({ name: 'look', arguments: { value: String(Math.random()) } });
    const { agent, quiet } = createFixture(() => endless(), {
      tools: [look.tool],
      settings: { maxTurns: 3 },
    });
    const tight = await agent.prompt({ message: 'Go', by: 'admin', maxTurns: 1 });
    const wide = await agent.prompt({ message: 'Go', by: 'admin', maxTurns: 100 });
    expect((await quiet(tight.sessionId)).header.totals.rounds).toBe(1);
    expect((await quiet(wide.sessionId)).header.totals.rounds).toBe(3);
  });

  it('ends with the error of the model and accepts the next prompt', async () => {
    const { agent, model, quiet } = createFixture([fails(new Error('overloaded')), reply('back')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const ended = await quiet(sessionId);
    expect(ended.header).toMatchObject({
      status: 'error',
      stopReason: 'model_error',
      lastError: { code: 'model_error', message: 'overloaded' },
    });
    await agent.prompt({ message: 'And now?', sessionId, by: 'admin' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect(model.requests[1]?.messages.map((message) => message.content)).toEqual(['Go', 'And now?']);
  });

  it('brings a prompt that arrives during a model call into the next request', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { agent, model, quiet } = createFixture([
      async () => {
        await held;
        return reply('first');
      },
      reply('second'),
    ]);
    const { sessionId } = await agent.prompt({ message: 'One', by: 'admin' });
    await model.requested(1);
    const joined = await agent.prompt({ message: 'Two', sessionId, by: 'admin' });
    expect(joined.status).toBe('running');
    release();
    const view = await quiet(sessionId);
    expect(kindsOf(view)).toEqual(['prompt', 'prompt', 'round', 'round', 'end']);
    expect(model.requests[1]?.messages.map((message) => message.content)).toEqual(['One', 'first', 'Two']);
    model.assertDone();
  });

  it('cancels a model call that ignores its signal, and the session goes on with the next prompt', async () => {
    const { agent, model, quiet } = createFixture([hangs({ ignoreAbort: true }), reply('fine')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await model.requested(1);
    expect(await agent.cancel(sessionId, 'admin')).toEqual({ cancelled: true });
    expect((await agent.get(sessionId)).header).toMatchObject({ status: 'aborted', stopReason: 'cancelled' });
    expect(await agent.cancel(sessionId, 'admin')).toEqual({ cancelled: false });
    await agent.prompt({ message: 'Again', sessionId, by: 'admin' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
  });

  it('gives every call of a cancelled round one result: its own, unknown or cancelled', async () => {
    const started: string[] = [];
    const save = recordingTool('save', 'write', async (value, { signal }) => {
      started.push(value);
      if (value === 'quick') return 'saved';
      await new Promise<void>((resolve) => {
        // The tool is deaf to the signal.
        signal.addEventListener('abort', () => undefined);
        void resolve;
      });
      return 'never';
    });
    const { agent, model, clock, until, quiet } = createFixture(
      [
        calls(
          { name: 'save', arguments: { value: 'quick' } },
          { name: 'save', arguments: { value: 'deaf' } },
          { name: 'save', arguments: { value: 'later' } },
        ),
        reply('fine'),
      ],
      { tools: [save.tool] },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await until(sessionId, () => started.includes('deaf'));
    const cancelling = agent.cancel(sessionId, 'admin');
    await clock.advance(1000);
    await cancelling;
    const view = await agent.get(sessionId);
    expect(kindsOf(view)).toEqual([
      'prompt',
      'round',
      'start',
      'result:ok',
      'start',
      'result:unknown',
      'result:cancelled',
      'end',
    ]);
    expect(started).toEqual(['quick', 'deaf']);
    await agent.prompt({ message: 'Again', sessionId, by: 'admin' });
    await quiet(sessionId);
    model.assertDone();
  });

  it('gives up a tool that takes too long', async () => {
    const slow = recordingTool('slow', 'read', () => new Promise(() => undefined));
    const { agent, clock, quiet, until } = createFixture(
      [calls({ name: 'slow', arguments: {} }), reply('ok')],
      {
        tools: [slow.tool],
        settings: { toolTimeoutMs: 5000 },
      },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await until(sessionId, () => slow.seen.length === 1);
    await clock.advance(5000);
    const view = await quiet(sessionId);
    expect(view.entries.find((entry) => entry.kind === 'result')).toMatchObject({
      outcome: 'error',
      text: 'slow took longer than 5000 ms and was given up.',
      durationMs: 5000,
    });
  });

  it('runs no more sessions at once than allowed, in the order they came', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { agent, model, quiet } = createFixture(
      async () => {
        await held;
        return reply('ok');
      },
      { settings: { maxConcurrentRuns: 2 } },
    );
    const ids: string[] = [];
    for (const message of ['a', 'b', 'c']) ids.push((await agent.prompt({ message, by: 'admin' })).sessionId);
    await model.requested(2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(model.requestCount).toBe(2);
    release();
    for (const id of ids) expect((await quiet(id)).header.status).toBe('completed');
    expect(model.requests.map((request) => request.messages[0]?.content)).toEqual(['a', 'b', 'c']);
  });
});
