import { AsyncLocalStorage } from 'node:async_hooks';
import { ScriptedModel, calls, createFakeClock, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

interface Event {
  readonly event: string;
  readonly data: Record<string, unknown>;
  readonly id?: number;
}

const eventsOf = (answer: unknown) => (answer as AsyncIterable<Event>)[Symbol.asyncIterator]();

describe('watch_agent_session', () => {
  it('answers the entries so far, then each as it comes, with its seq as the id', async () => {
    const { call, settled } = await startAgent(new ScriptedModel([reply('hi'), reply('hi again')]));
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    await settled(session_id);
    const events = eventsOf(await call('watch_agent_session', { session_id }));
    const seen: Event[] = [];
    const take = async () => {
      const step = await events.next();
      if (step.done !== true) seen.push(step.value);
    };
    for (let count = 0; count < 3; count++) await take();
    expect(seen).toMatchObject([
      { event: 'prompt', id: 1, data: { kind: 'prompt', seq: 1, text: 'hello' } },
      { event: 'round', id: 2, data: { content: 'hi' } },
      { event: 'end', id: 3, data: { reason: 'answered' } },
    ]);
    const next = take();
    await call('agent_prompt', { session_id, message: 'and again' });
    await next;
    await take();
    await take();
    expect(seen.slice(3).map(({ event, id }) => [event, id])).toEqual([
      ['prompt', 4],
      ['round', 5],
      ['end', 6],
    ]);
    await events.return?.();

    const later = eventsOf(await call('watch_agent_session', { session_id, after_seq: 5 }));
    expect(await later.next()).toMatchObject({ value: { id: 6 } });
    await later.return?.();
  });

  it('sends a ping after twenty silent seconds, and no entry twice because of it', async () => {
    const clock = createFakeClock();
    const { call } = await startAgent(new ScriptedModel([reply('hi')]), {}, { clock });
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    const events = eventsOf(await call('watch_agent_session', { session_id }));
    for (let id = 1; id <= 3; id++) expect(await events.next()).toMatchObject({ value: { id } });
    for (let silence = 0; silence < 3; silence++) {
      const next = events.next();
      await clock.advance(19_999);
      let early = true;
      void next.then(() => (early = false));
      await clock.advance(0);
      expect(early).toBe(true);
      await clock.advance(1);
      expect(await next).toEqual({ done: false, value: { event: 'ping', data: {} } });
    }
    await events.return?.();
  });

  it('ends at once when the reader leaves while it waits, and leaves nothing behind', async () => {
    const clock = createFakeClock();
    const { call, agent } = await startAgent(new ScriptedModel([reply('hi')]), {}, { clock });
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    const before = eventsOf(await call('watch_agent_session', { session_id }));
    for (let id = 1; id <= 3; id++) await before.next();
    await before.return?.();
    const timers = clock.pending();
    for (let round = 0; round < 50; round++) {
      const events = eventsOf(await call('watch_agent_session', { session_id, after_seq: 3 }));
      const waiting = events.next();
      await Promise.resolve();
      await events.return?.();
      expect(await waiting).toMatchObject({ done: true });
      expect(await events.next()).toMatchObject({ done: true });
    }
    expect(clock.pending()).toBe(timers);
    // A session that is being watched stays in memory: this one may leave it.
    await clock.advance(61_000);
    expect(clock.pending()).toBeLessThan(timers);
    await agent.close();
  });

  it('ends when the session is deleted', async () => {
    const model = new ScriptedModel([calls({ name: 'drop_table', arguments: { table: 'dog' } })]);
    const { call, settled } = await startAgent(model, { allowDestructive: true });
    const { session_id } = await call('agent_prompt', { message: 'drop the dogs' });
    await settled(session_id);
    const events = eventsOf(await call('watch_agent_session', { session_id }));
    const kinds: string[] = [];
    const reading = (async () => {
      for (let step = await events.next(); step.done !== true; step = await events.next())
        kinds.push(step.value.event);
    })();
    await call('delete_agent_session', { session_id });
    await reading;
    expect(kinds.slice(0, 3)).toEqual(['prompt', 'round', 'ask']);
  });

  it('reads outside of the request that asked', async () => {
    const request = new AsyncLocalStorage<string>();
    const { host, call, settled } = await startAgent(new ScriptedModel([reply('hi')]));
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    await settled(session_id);
    const items = host.tables.table('system', 'hdb_agent_item');
    const contexts: unknown[] = [];
    const search = items.search.bind(items);
    items.search = (query) => {
      contexts.push(request.getStore());
      return search(query);
    };
    await request.run('request of alice', async () => {
      const events = eventsOf(await call('watch_agent_session', { session_id }));
      await events.next();
      await events.return?.();
    });
    expect(contexts.length).toBeGreaterThan(0);
    expect(contexts.every((context) => context === undefined)).toBe(true);
  });

  it('refuses a session it does not know before anything is sent, and a seq that is none', async () => {
    const { call } = await startAgent(new ScriptedModel([]));
    await expect(call('watch_agent_session', { session_id: 'nope' })).rejects.toMatchObject({
      statusCode: 404,
    });
    await expect(call('watch_agent_session', { session_id: 'x', after_seq: -1 })).rejects.toThrow(
      'after_seq',
    );
  });
});
