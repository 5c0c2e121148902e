import { AsyncLocalStorage } from 'node:async_hooks';
import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

describe('a prompt', () => {
  it.each([
    ['empty', ''],
    ['blank', ' \n\t'],
  ])('that is %s is refused', async (_what, message) => {
    const { agent } = createFixture([]);
    await expect(agent.prompt({ message, by: 'admin' })).rejects.toMatchObject({ statusCode: 400 });
    expect((await agent.list()).items).toEqual([]);
  });

  it('is refused when it is too large, in bytes', async () => {
    const { agent } = createFixture([reply('ok')], { settings: { maxPromptBytes: 9 } });
    await expect(agent.prompt({ message: 'あいうえ', by: 'admin' })).rejects.toMatchObject({
      statusCode: 413,
    });
    await expect(agent.prompt({ message: 'あいう', by: 'admin' })).resolves.toMatchObject({
      status: 'running',
    });
  });

  it('for a session that does not exist makes none, however many come at once', async () => {
    const { agent } = createFixture([]);
    const both = await Promise.allSettled(
      ['a', 'b'].map((message) => agent.prompt({ message, sessionId: 'ses_nope', by: 'admin' })),
    );
    expect(both.map((result) => result.status === 'rejected' && result.reason.statusCode)).toEqual([
      404, 404,
    ]);
    expect((await agent.list()).items).toEqual([]);
  });

  it('appears once and in order, however many come at once, with one run at a time', async () => {
    let atOnce = 0;
    let most = 0;
    const { agent, quiet, model } = createFixture(async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce--;
      return reply('ok');
    });
    const { sessionId } = await agent.prompt({ message: '0', by: 'admin' });
    await Promise.all(
      ['1', '2', '3', '4'].map((message) => agent.prompt({ message, sessionId, by: 'admin' })),
    );
    const view = await quiet(sessionId);
    const texts = view.entries.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text] : []));
    expect(texts).toEqual(['0', '1', '2', '3', '4']);
    expect(most).toBe(1);
    const sent = model.requests.at(-1)?.messages.filter((message) => message.role === 'user');
    expect(sent?.map((message) => message.content)).toEqual(['0', '1', '2', '3', '4']);
  });

  it('with a message id that was accepted already answers the first result, in a session or for a new one', async () => {
    const { agent, quiet } = createFixture([reply('one'), reply('two')]);
    const again = () => agent.prompt({ message: 'Go', messageId: 'client-1', by: 'admin' });
    const receipts = await Promise.all([again(), again()]);
    const [first] = receipts;
    expect(receipts[1]).toMatchObject({ sessionId: first?.sessionId, messageId: 'client-1' });
    await quiet(first?.sessionId ?? '');
    expect(await again()).toMatchObject({ sessionId: first?.sessionId, status: 'completed' });
    const sessionId = first?.sessionId ?? '';
    const more = () => agent.prompt({ message: 'More', messageId: 'client-2', sessionId, by: 'admin' });
    await Promise.all([more(), more()]);
    expect(kindsOf(await quiet(sessionId))).toEqual(['prompt', 'round', 'end', 'prompt', 'round', 'end']);
    expect((await agent.list()).items).toHaveLength(1);
  });

  it('that no request carried starts another run, whatever ended this one', async () => {
    const look = recordingTool('look', 'read', async () => {
      await held;
      return 'seen';
    });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { agent, quiet, until, model } = createFixture(
      [calls({ name: 'look', arguments: {} }), reply('two')],
      {
        tools: [look.tool],
        settings: { maxTurns: 1 },
      },
    );
    const { sessionId } = await agent.prompt({ message: 'One', by: 'admin' });
    await until(sessionId, () => look.seen.length === 1);
    await agent.prompt({ message: 'Two', sessionId, by: 'admin' });
    release();
    const view = await quiet(sessionId);
    expect(kindsOf(view)).toEqual(['prompt', 'round', 'prompt', 'result:ok', 'end', 'round', 'end']);
    expect(view.entries.filter((entry) => entry.kind === 'end').map((entry) => entry.reason)).toEqual([
      'max_turns',
      'answered',
    ]);
    expect(model.requests[1]?.messages.at(-1)?.content).toBe('Two');
  });

  it('given after a cancel is not part of what is cancelled', async () => {
    const { agent, model, quiet } = createFixture([() => new Promise(() => undefined), reply('ok')]);
    const { sessionId } = await agent.prompt({ message: 'One', by: 'admin' });
    await model.requested(1);
    const cancelling = agent.cancel(sessionId, 'admin');
    const prompting = agent.prompt({ message: 'Two', sessionId, by: 'admin' });
    expect(await cancelling).toEqual({ cancelled: true });
    await prompting;
    expect((await quiet(sessionId)).header.status).toBe('completed');
  });

  it('stores what a lone surrogate cannot be stored as', async () => {
    const { agent, quiet } = createFixture([reply('ok \ud800')]);
    const { sessionId } = await agent.prompt({ message: 'Hi \udc00 there', by: 'admin' });
    const view = await quiet(sessionId);
    expect(view.messages.map((message) => message.content)).toEqual(['Hi \ufffd there', 'ok \ufffd']);
  });
});

describe('a run', () => {
  it('belongs to the agent, not to the request that caused it', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const look = recordingTool('look', 'read', () => {
      seen.push(context.getStore());
      return 'ok';
    });
    const fixture = context.run('agent', () =>
      createFixture(
        () => {
          seen.push(context.getStore());
          return seen.length > 3
            ? reply('done')
            : calls({ name: 'look', arguments: { value: String(seen.length) } });
        },
        { tools: [look.tool] },
      ),
    );
    const receipts = await Promise.all(
      ['alice', 'bob'].map((user) =>
        context.run(user, () => fixture.agent.prompt({ message: 'Go', by: user })),
      ),
    );
    for (const { sessionId } of receipts) await fixture.quiet(sessionId);
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen)).toEqual(new Set(['agent']));
  });
});

describe('the settings', () => {
  it.each([
    ['maxTurns', 0],
    ['maxTurns', 1.5],
    ['maxTurns', '3'],
    ['maxCostUsd', -1],
    ['maxCostUsd', Number.NaN],
    ['autoApprove', 'yes'],
    ['approvals', { 'drop_*': 'allow' }],
    ['approvals', { drop: 'maybe' }],
    ['nonsense', 1],
  ])('refuse %s: %j, naming the field, and stay as they were', (field, value) => {
    const { agent } = createFixture([]);
    const before = agent.settings;
    expect(() => agent.setConfig({ [field]: value })).toThrow(
      expect.objectContaining({ statusCode: 400, message: expect.stringContaining(field) }),
    );
    expect(agent.settings).toBe(before);
  });

  it('change a run at work', async () => {
    const look = recordingTool('look', 'read');
    let n = 0;
    const fixture = createFixture(
      () => {
        n++;
        if (n === 3) fixture.agent.setConfig({ maxTurns: 4, systemPromptAppend: 'ALWAYS SAY FOO' });
        return calls({ name: 'look', arguments: { value: String(n) } });
      },
      { tools: [look.tool] },
    );
    const { sessionId } = await fixture.agent.prompt({ message: 'Go', by: 'admin' });
    expect((await fixture.quiet(sessionId)).header).toMatchObject({
      stopReason: 'max_turns',
      totals: { rounds: 4 },
    });
    expect(fixture.model.requests.map(({ system }) => system.split('ALWAYS SAY FOO').length - 1)).toEqual([
      0, 0, 0, 1,
    ]);
  });
});
