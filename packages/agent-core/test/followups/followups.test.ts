import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { hangs, reply } from '@harperfast/agent-testkit';
import type { Entry, ToolProvider } from '../../src/index.js';
import { createFixture } from '../support/agent-fixture.js';

const answers = (count: number) => Array.from({ length: count }, (_, index) => reply(`answer ${index}`));

describe('prompts that followups bring', () => {
  const followup = (sessionId: string, messageId: string) => ({
    sessionId,
    messageId,
    message: 'look again',
    source: 'followup' as const,
    by: 'followup',
  });

  it('are taken once for each message id, also by the next process', async () => {
    const first = createFixture(answers(2));
    const { sessionId } = await first.agent.prompt({ message: 'start', by: 'ann' });
    await first.agent.prompt(followup(sessionId, 'f1:1'));
    await first.agent.prompt(followup(sessionId, 'f1:1'));
    await first.quiet(sessionId);
    const next = createFixture([], { store: first.store });
    await next.agent.recover();
    await next.agent.prompt(followup(sessionId, 'f1:1'));
    const { entries } = await next.agent.get(sessionId);
    expect(entries.filter((entry) => entry.kind === 'prompt' && entry.source === 'followup')).toHaveLength(1);
  });

  it('come although a client has used their message id, and the other way round', async () => {
    const { agent, quiet, store } = createFixture(answers(4));
    const { sessionId } = await agent.prompt({ message: 'start', by: 'ann' });
    await quiet(sessionId);
    const client = (messageId: string) => ({ sessionId, messageId, message: 'mine', by: 'ann' });
    await agent.prompt(client('f1:1'));
    await agent.prompt(followup(sessionId, 'f1:1'));
    await agent.prompt(followup(sessionId, 'f1:2'));
    await agent.prompt(client('f1:2'));
    await quiet(sessionId);
    const next = createFixture([], { store });
    for (const id of ['f1:1', 'f1:2']) {
      await next.agent.prompt(client(id));
      await next.agent.prompt(followup(sessionId, id));
    }
    const { entries } = await next.agent.get(sessionId);
    const prompts = entries.flatMap((entry) =>
      entry.kind === 'prompt' ? [`${entry.source} ${entry.messageId}`] : [],
    );
    expect(prompts.slice(1)).toEqual(['operator f1:1', 'followup f1:1', 'followup f1:2', 'operator f1:2']);
  });

  it('are refused after so many without an operator, and an operator lets them go on', async () => {
    const { agent, quiet, store } = createFixture(answers(8), { settings: { maxUnattendedRuns: 2 } });
    const { sessionId } = await agent.prompt({ message: 'start', by: 'ann' });
    for (const id of ['f:1', 'f:2']) {
      await quiet(sessionId);
      await agent.prompt(followup(sessionId, id));
    }
    await quiet(sessionId);
    const refused = { code: 'unattended_limit', statusCode: 409 };
    await expect(agent.prompt(followup(sessionId, 'f:3'))).rejects.toMatchObject(refused);
    // It is there already, so it is no other one.
    await agent.prompt(followup(sessionId, 'f:2'));
    const next = createFixture(answers(8), { store, settings: { maxUnattendedRuns: 2 } });
    await expect(next.agent.prompt(followup(sessionId, 'f:3'))).rejects.toMatchObject(refused);
    await next.agent.prompt({ sessionId, message: 'go on', by: 'ann' });
    await next.agent.prompt(followup(sessionId, 'f:3'));
    await next.quiet(sessionId);
  });

  it('are refused by a session that was cancelled, also while it is being cancelled', async () => {
    const { agent, model, quiet } = createFixture([hangs(), reply('again')]);
    const { sessionId } = await agent.prompt({ message: 'start', by: 'ann' });
    await model.requested(1);
    const cancelled = agent.cancel(sessionId, 'ann');
    const refused = { code: 'session_cancelled', statusCode: 409 };
    await expect(agent.prompt(followup(sessionId, 'f:1'))).rejects.toMatchObject(refused);
    await cancelled;
    await expect(agent.prompt(followup(sessionId, 'f:1'))).rejects.toMatchObject(refused);
    await agent.prompt({ sessionId, message: 'start again', by: 'ann' });
    await quiet(sessionId);
  });
});

describe('tool providers', () => {
  function hearing() {
    const heard: string[] = [];
    const provider: ToolProvider = {
      name: 'p',
      tools: () => [],
      close: async () => undefined,
      sessionEnded: async (_id, why) => void heard.push(String(why)),
    };
    return { heard, providers: [provider] };
  }

  it('hear of a cancel also when the process ended before they did', async () => {
    const { heard, providers } = hearing();
    const first = createFixture([hangs()], { providers });
    const { sessionId } = await first.agent.prompt({ message: 'start', by: 'ann' });
    await first.model.requested(1);
    await first.agent.cancel(sessionId, 'ann');
    expect(heard).toEqual(['cancelled']);
    const { heard: heardNext, providers: next } = hearing();
    const { agent, quiet } = createFixture(answers(1), { providers: next, store: first.store });
    await agent.prompt({ sessionId, message: 'go on', by: 'ann' });
    await quiet(sessionId);
    expect(heardNext).toEqual(['cancelled']);
  });
});

describe('an agent that was closed', () => {
  it('takes no session from the store any more: it may be in use by the next one', async () => {
    const first = createFixture([]);
    const next = createFixture([hangs()], { store: first.store });
    await first.agent.close();
    const { sessionId } = await next.agent.prompt({ message: 'start', by: 'ann' });
    await next.model.requested(1);
    await expect(first.agent.get(sessionId)).rejects.toMatchObject({ statusCode: 503, code: 'agent_closed' });
    expect((await next.agent.get(sessionId)).header.status).toBe('running');
    await next.agent.close();
  });
});

describe('alert', () => {
  it('is an entry of the journal, redacted, that starts nothing and changes nothing for the model', async () => {
    const { agent, model, quiet } = createFixture(answers(2), {
      redactor: {
        redact: (text) => text.replaceAll('s3cret', '***'),
        redactOutput: (text) => text,
      },
    });
    const { sessionId } = await agent.prompt({ message: 'start', by: 'ann' });
    await quiet(sessionId);
    await agent.alert({ sessionId, level: 'critical', text: 'the key is s3cret' });
    const view = await agent.get(sessionId);
    expect(view.header.status).toBe('completed');
    expect(view.entries.at(-1)).toMatchObject({ kind: 'alert', level: 'critical', text: 'the key is ***' });
    await agent.prompt({ sessionId, message: 'go on', by: 'ann' });
    await quiet(sessionId);
    expect(JSON.stringify(model.requests.at(-1))).not.toContain('the key is');
    await expect(agent.alert({ sessionId: 'none', level: 'info', text: 'x' })).rejects.toMatchObject({
      statusCode: 404,
    });
  });
});

describe('onEntries', () => {
  it('hears each entry once, in order, when it is durable, in the context of the agent', async () => {
    const context = new AsyncLocalStorage<string>();
    const heard: Entry[] = [];
    const contexts = new Set<unknown>();
    const fixture = context.run('agent', () =>
      createFixture(answers(2), {
        onEntries: (_sessionId, entries) => {
          heard.push(...entries);
          contexts.add(context.getStore());
        },
      }),
    );
    const { sessionId } = await context.run('request', () =>
      fixture.agent.prompt({ message: 'start', by: 'ann' }),
    );
    expect(heard.slice(0, 1)).toMatchObject([{ kind: 'prompt' }]);
    await fixture.quiet(sessionId);
    await fixture.agent.prompt({ sessionId, message: 'more', by: 'ann' });
    await fixture.quiet(sessionId);
    expect(heard).toEqual((await fixture.agent.get(sessionId)).entries);
    expect([...contexts]).toEqual(['agent']);
  });

  it('hears what the recovery writes, and keeps no session from going on when it throws', async () => {
    const first = createFixture([hangs()]);
    const { sessionId } = await first.agent.prompt({ message: 'start', by: 'ann' });
    await first.model.requested(1);
    const heard: string[] = [];
    const next = createFixture(answers(1), {
      store: first.store,
      onEntries: (id, entries) => {
        heard.push(...entries.map(({ kind }) => `${id} ${kind}`));
        throw new Error('a fault of the host');
      },
    });
    await next.agent.recover();
    expect(heard).toEqual([`${sessionId} end`]);
    await next.agent.prompt({ sessionId, message: 'go on', by: 'ann' });
    expect((await next.quiet(sessionId)).header.status).toBe('completed');
  });
});
