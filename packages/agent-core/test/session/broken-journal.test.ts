import { calls, failNth, faulty, hangs, holdNth, reply } from '@harperfast/agent-testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/index.js';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

const unheard: unknown[] = [];
const hear = (error: unknown): void => void unheard.push(error);

beforeEach(() => {
  unheard.length = 0;
  process.on('unhandledRejection', hear);
});

afterEach(() => {
  process.off('unhandledRejection', hear);
  // In a host it would end the process.
  if (unheard.length > 0) throw new Error(`Nobody heard: ${unheard.map(String).join(', ')}`);
});

function failingAppend(nth: number) {
  return faulty(createMemoryStore(), { append: failNth(nth) });
}

const save = { name: 'save', arguments: { value: 'a' } };

describe('a write that the store refuses', () => {
  it('costs the prompt that it was for, and not the ones after it', async () => {
    const store = failingAppend(4);
    const { agent, quiet, model } = createFixture([reply('one'), reply('two')], { store });
    const { sessionId } = await agent.prompt({ message: 'first', by: 'ann' });
    await quiet(sessionId);
    await expect(agent.prompt({ message: 'lost', by: 'ann', sessionId })).rejects.toThrow('as injected');
    await agent.prompt({ message: 'second', by: 'ann', sessionId });
    const { header, messages } = await quiet(sessionId);
    expect(header.status).toBe('completed');
    expect(messages.map(({ content }) => content)).toEqual(['first', 'one', 'second', 'two']);
    model.assertDone();
  });

  it('lets no effect happen again whose result it was', async () => {
    const { tool, seen } = recordingTool('save', 'write');
    // Prompt, round, start, and then the result.
    const store = failingAppend(4);
    const { agent, quiet } = createFixture([calls(save), reply('went on')], { store, tools: [tool] });
    const { sessionId } = await agent.prompt({ message: 'save it', by: 'ann' });
    const ended = await quiet(sessionId);
    expect(kindsOf(ended)).toEqual(['prompt', 'round', 'start', 'result:unknown', 'end']);
    expect(ended.header).toMatchObject({ status: 'idle', stopReason: 'interrupted' });
    await agent.prompt({ message: 'go on', by: 'ann', sessionId });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect(seen).toEqual(['a']);
  });

  it('ends a run that would go on in memory only, also where nobody waits for the write', async () => {
    const { tool } = recordingTool('look', 'read');
    const look = (value: string) => calls({ name: 'look', arguments: { value } });
    // Prompt, round, and then the result of a read.
    const store = failingAppend(3);
    const { agent, quiet } = createFixture(() => look(String(Math.random())), { store, tools: [tool] });
    const { sessionId } = await agent.prompt({ message: 'look', by: 'ann' });
    expect((await quiet(sessionId)).header.stopReason).toBe('interrupted');
  });

  it('keeps what an operator approved: it runs, once, when the session has been read anew', async () => {
    const { tool, seen } = recordingTool('save', 'write');
    // Prompt, round, ask, decision, and then the start.
    const store = failingAppend(5);
    const settings = { approvals: { save: 'ask' as const } };
    const { agent, quiet } = createFixture([calls(save), reply('done')], { store, settings, tools: [tool] });
    const { sessionId } = await agent.prompt({ message: 'save it', by: 'ann' });
    const { pendingApprovals } = await quiet(sessionId);
    await agent.approve({
      sessionId,
      approvalId: pendingApprovals[0]!.approvalId,
      approved: true,
      by: 'ann',
    });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect(seen).toEqual(['a']);
  });

  it('ends the tool that runs, and has the session read anew without anybody asking for it', async () => {
    const order: string[] = [];
    const { tool } = recordingTool('look', 'read', (_value, { signal }) => {
      order.push('begins');
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          order.push('aborted');
          reject(signal.reason);
        }),
      );
    });
    const store = failingAppend(3);
    const script = [calls({ name: 'look', arguments: {} }), hangs()];
    const { agent, until, clock, model } = createFixture(script, { store, tools: [tool] });
    const { sessionId } = await agent.prompt({ message: 'look', by: 'ann' });
    await until(sessionId, () => order.length === 1);
    await expect(agent.prompt({ message: 'lost', by: 'ann', sessionId })).rejects.toThrow('as injected');
    await clock.advance(1_000);
    expect((await store.load(sessionId))?.header.stopReason).toBe('interrupted');
    expect(order).toEqual(['begins', 'aborted']);
    expect(model.requestCount).toBe(1);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('is heard wherever it happens: append %i', async (nth) => {
    const { tool: look } = recordingTool('look', 'read');
    const { tool: saves } = recordingTool('save', 'write');
    const { tool: pause } = recordingTool('pause', 'disruptive');
    const round = (value: string) =>
      calls(
        { name: 'look', arguments: { value } },
        { name: 'save', arguments: { value } },
        { name: 'pause', arguments: { value } },
      );
    let turn = 0;
    const { agent, quiet } = createFixture(() => (turn < 3 ? round(`${turn++}`) : reply('done')), {
      store: failingAppend(nth),
      tools: [look, saves, pause],
    });
    const prompted = async (): Promise<string | undefined> => {
      try {
        return (await agent.prompt({ message: 'go', by: 'ann' })).sessionId;
      } catch {
        return undefined;
      }
    };
    const sessionId = await prompted();
    if (sessionId !== undefined) {
      const { pendingApprovals } = await quiet(sessionId);
      for (const { approvalId } of pendingApprovals)
        await agent.approve({ sessionId, approvalId, approved: true, by: 'ann' }).catch(() => undefined);
      await quiet(sessionId);
    }
    await agent.close();
  });
});

describe('a session that cannot be read', () => {
  it('is recovered later when the first attempt at the start of the process fails', async () => {
    const memory = createMemoryStore();
    const before = createFixture([hangs()], { store: memory });
    const { sessionId } = await before.agent.prompt({ message: 'hang', by: 'ann' });
    const after = createFixture([reply('done')], { store: faulty(memory, { load: failNth(1) }) });
    expect(await after.agent.recover()).toEqual({ interrupted: 0, resumed: 0 });
    expect((await memory.load(sessionId))?.header.status).toBe('running');
    await after.clock.advance(1_000);
    expect((await memory.load(sessionId))?.header).toMatchObject({
      status: 'idle',
      stopReason: 'interrupted',
    });
  });
});

describe('a session that somebody opens while it is being created', () => {
  it('is in memory once', async () => {
    const memory = createMemoryStore();
    const create = holdNth(1);
    const store = faulty(memory, {
      // The row is there before the answer is.
      create: async (call) => {
        await call.proceed();
        return create.fault({ ...call, proceed: () => undefined });
      },
    });
    const { agent, quiet } = createFixture([reply('one'), reply('two')], { store });
    const first = agent.prompt({ message: 'first', by: 'ann' });
    await create.arrived;
    const [header] = (await agent.list()).items;
    const sessionId = header!.id;
    await agent.prompt({ message: 'second', by: 'bob', sessionId });
    create.release();
    await first;
    const { entries } = await quiet(sessionId);
    expect(entries.filter(({ kind }) => kind === 'prompt')).toHaveLength(2);
  });
});

describe('a session whose write takes long', () => {
  it('stays in memory until the write is done', async () => {
    const append = holdNth(4);
    const store = faulty(createMemoryStore(), { append: append.fault });
    const { agent, quiet, clock } = createFixture([reply('one'), reply('two'), reply('three')], { store });
    const { sessionId } = await agent.prompt({ message: 'first', by: 'ann' });
    await quiet(sessionId);
    const slow = agent.prompt({ message: 'second', by: 'ann', sessionId });
    await append.arrived;
    // Long enough for an idle session to leave memory.
    await clock.advance(121_000);
    const next = agent.prompt({ message: 'third', by: 'bob', sessionId });
    append.release();
    await Promise.all([slow, next]);
    const { entries, header } = await quiet(sessionId);
    expect(entries.filter(({ kind }) => kind === 'prompt')).toHaveLength(3);
    expect(header.status).toBe('completed');
  });
});

describe('a session that could not be deleted', () => {
  it('is brought to rest by itself', async () => {
    const memory = createMemoryStore();
    const append = holdNth(1);
    const store = faulty(memory, { append: append.fault, delete: failNth(1) });
    const { agent, clock } = createFixture([reply('done')], { store });
    const prompted = agent.prompt({ message: 'first', by: 'ann' });
    await append.arrived;
    const sessionId = (await agent.list()).items[0]!.id;
    const deleted = agent.delete(sessionId, 'ann');
    append.release();
    await expect(deleted).rejects.toThrow('as injected');
    await prompted;
    await clock.advance(1_000);
    expect((await memory.load(sessionId))?.header).toMatchObject({
      status: 'idle',
      stopReason: 'interrupted',
    });
  });
});
