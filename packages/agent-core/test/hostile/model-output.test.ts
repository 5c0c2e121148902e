import { answers, calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { MOST_CALLS, normalizeReply } from '../../src/run/normalize-reply.js';
import { TOOL_NAME } from '../../src/session/tool-name.js';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

const asked = (toolCalls: unknown) => answers({ content: '', toolCalls, finishReason: 'tool_calls' });

describe('a reply that runs wild', () => {
  it('runs nothing of thousands of calls, and the next reply goes on', async () => {
    const { tool, seen } = recordingTool('look', 'write');
    const wild = Array.from({ length: 10_000 }, (_, index) => ({
      name: 'look',
      arguments: { value: `${index}` },
    }));
    const { agent, quiet, model } = createFixture([calls(...wild), reply('sorry')], { tools: [tool] });
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    const session = await quiet(sessionId);
    expect(kindsOf(session)).toEqual(['prompt', 'round', 'round', 'end']);
    expect(session.entries[1]).toMatchObject({ calls: [], droppedCalls: 10_000 });
    expect(session.header.status).toBe('completed');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: /10000 tool calls/ });
    expect(seen).toEqual([]);
  });

  it('ends the run when it happens again', async () => {
    const wild = Array.from({ length: MOST_CALLS + 1 }, () => ({ name: 'look', arguments: {} }));
    const { agent, quiet } = createFixture(() => calls(...wild));
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    const { header } = await quiet(sessionId);
    expect(header).toMatchObject({ status: 'error', stopReason: 'cut_short', totals: { rounds: 2 } });
    expect(header.lastError?.message).toContain('too many tool calls');
  });

  it('runs as many calls as there may be, and Node sees no leak in it', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    const { tool, seen } = recordingTool('look', 'read');
    const many = Array.from({ length: MOST_CALLS }, (_, index) => ({
      name: 'look',
      arguments: { value: `${index}` },
    }));
    const { agent, quiet } = createFixture([calls(...many), reply('done')], { tools: [tool] });
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    process.off('warning', note);
    expect(seen).toHaveLength(MOST_CALLS);
    expect(warnings).toEqual([]);
  });

  it('is paid for, also where it is no reply at all', async () => {
    const { agent, quiet } = createFixture(() => answers(undefined));
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    const { header } = await quiet(sessionId);
    expect(header).toMatchObject({ stopReason: 'empty_reply', totals: { rounds: 2 } });
    expect(header.totals.costMicros).toBeGreaterThan(0);
  });
});

describe('names of tools no tool can have', () => {
  const names = [
    '',
    'read file',
    'functions.look',
    'look\n',
    'look\u0000',
    '\ud800',
    'é',
    'x'.repeat(5_000),
    null,
  ];

  it('are not sent back to the provider, which would refuse every later request', async () => {
    const { tool, seen } = recordingTool('look', 'read');
    const script = [
      asked([...names.map((name) => ({ name, arguments: {} })), null, 7]),
      reply('ok'),
      reply('on'),
    ];
    const { agent, quiet, model } = createFixture(script, { tools: [tool] });
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    const session = await quiet(sessionId);
    await agent.prompt({ message: 'go on', by: 'ann', sessionId });
    await quiet(sessionId);
    model.assertDone();
    const sent = model.requests
      .flatMap(({ messages }) => messages)
      .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
    expect(sent.length).toBeGreaterThan(names.length);
    expect(sent.filter(({ name }) => !TOOL_NAME.test(name))).toEqual([]);
    expect(session.entries.find(({ kind }) => kind === 'round')).toMatchObject({
      calls: expect.arrayContaining([expect.objectContaining({ name: 'functions.look' })]),
    });
    expect(seen).toEqual([]);
  });
});

describe('arguments that hide something behind an escape', () => {
  const read = (given: unknown) =>
    normalizeReply({ toolCalls: [{ name: 'look', arguments: given }] }, 2).calls[0]!;

  it('are no way to a key that stores treat in their own way', () => {
    for (const given of [
      '{"__proto__":{}}',
      '{"__pr\\u006fto__":{}}',
      '{"a":[{"\\u005f_proto__":1}]}',
      JSON.parse('{"a":{"__proto__":1}}'),
    ]) {
      expect(read(given)).toMatchObject({ arguments: {}, malformed: expect.stringContaining('__proto__') });
    }
    expect(read('{"value":"__proto__"}')).toEqual({
      id: 'call_2_0',
      name: 'look',
      arguments: { value: '__proto__' },
    });
  });

  it('are no way to half of a character', () => {
    for (const given of ['{"\\ud800":["\\udc00x"]}', { '\ud800': ['\udc00x'] }]) {
      expect(read(given).arguments).toEqual({ '\ufffd': ['\ufffdx'] });
    }
    expect(read('{"a":"\\ud83d\\ude00"}').arguments).toEqual({ a: '😀' });
  });
});

it('the title of a session is cut between characters', async () => {
  const { agent, quiet } = createFixture([reply('ok')]);
  const { sessionId } = await agent.prompt({ message: `${'a'.repeat(78)}😀😀`, by: 'ann' });
  const { title } = (await quiet(sessionId)).header;
  expect(title).toBe(`${'a'.repeat(78)}…`);
});
