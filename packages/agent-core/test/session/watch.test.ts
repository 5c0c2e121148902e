import { calls, faulty, holdNth, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/index.js';
import type { Entry } from '../../src/index.js';
import { createFixture, recordingTool } from '../support/agent-fixture.js';

async function take(
  stream: AsyncIterable<Entry>,
  until: (entry: Entry) => boolean,
): Promise<readonly Entry[]> {
  const taken: Entry[] = [];
  for await (const entry of stream) {
    taken.push(entry);
    if (until(entry)) break;
  }
  return taken;
}

describe('watching a session', () => {
  it('replays, goes on live, and leaves nothing out and nothing twice', async () => {
    const look = recordingTool('look', 'read');
    const script = Array.from({ length: 30 }, (_, index) =>
      calls({ name: 'look', arguments: { value: String(index) } }),
    );
    const { agent, quiet } = createFixture([...script, reply('done')], { tools: [look.tool] });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const { signal } = new AbortController();
    const streams = await Promise.all(
      [0, 0, 1].map((afterSeq) => agent.watch(sessionId, { afterSeq, signal })),
    );
    const seen = await Promise.all(streams.map((stream) => take(stream, (entry) => entry.kind === 'end')));
    const { entries } = await quiet(sessionId);
    expect(seen[0]).toEqual(entries);
    expect(seen[1]).toEqual(entries);
    expect(seen[2]).toEqual(entries.slice(1));
    const late = await take(
      await agent.watch(sessionId, { afterSeq: 60, signal }),
      (entry) => entry.kind === 'end',
    );
    expect(late).toEqual(entries.slice(60));
  });

  it('shows an entry only once it is durable', async () => {
    const hold = holdNth(2);
    const store = faulty(createMemoryStore(), { append: hold.fault });
    const { agent } = createFixture([reply('done')], { store });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const stream = await agent.watch(sessionId, { signal: new AbortController().signal });
    expect((await stream.next()).value).toMatchObject({ kind: 'prompt' });
    let came = false;
    const second = stream.next().then((result) => {
      came = true;
      return result;
    });
    await hold.arrived;
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(came).toBe(false);
    hold.release();
    expect((await second).value).toMatchObject({ kind: 'round' });
    await stream.return();
  });

  it('ends when its signal aborts and when the session is deleted', async () => {
    const { agent, quiet } = createFixture([reply('done')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await quiet(sessionId);
    const leaving = new AbortController();
    const one = await agent.watch(sessionId, { afterSeq: 3, signal: leaving.signal });
    const two = await agent.watch(sessionId, { afterSeq: 3, signal: new AbortController().signal });
    const first = one.next();
    const second = two.next();
    leaving.abort();
    expect(await first).toEqual({ done: true, value: undefined });
    await agent.delete(sessionId, 'admin');
    expect(await second).toEqual({ done: true, value: undefined });
    await expect(agent.get(sessionId)).rejects.toMatchObject({ statusCode: 404 });
  });

  it('ends at once for a reader who leaves while it has an entry, the last one or not', async () => {
    const { agent, quiet } = createFixture([reply('done')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await quiet(sessionId);
    for (const last of [1, 3]) {
      const leaving = new AbortController();
      const stream = await agent.watch(sessionId, { signal: leaving.signal });
      const seen: number[] = [];
      for await (const { seq } of stream) {
        seen.push(seq);
        if (seq === last) leaving.abort();
      }
      expect(seen.at(-1)).toBe(last);
    }
  });

  it('keeps a watched session in memory and lets an unwatched one go after a minute', async () => {
    const { agent, clock, quiet } = createFixture([reply('one'), reply('two')]);
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await quiet(sessionId);
    const stream = await agent.watch(sessionId, { afterSeq: 3, signal: new AbortController().signal });
    const next = stream.next();
    await clock.advance(300_000);
    await agent.prompt({ message: 'More', sessionId, by: 'admin' });
    expect((await next).value).toMatchObject({ kind: 'prompt', text: 'More' });
    await stream.return();
  });
});

describe('deleting', () => {
  it('cancels what runs, removes all, and tells the providers', async () => {
    const ended: string[] = [];
    const { agent, model, store } = createFixture([() => new Promise(() => undefined)], {
      providers: [
        {
          name: 'p',
          tools: () => [],
          close: async () => undefined,
          sessionEnded: async (id, why) => void ended.push(`${id} ${why}`),
        },
      ],
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await model.requested(1);
    await agent.delete(sessionId, 'admin');
    expect(await store.load(sessionId)).toBeUndefined();
    expect(ended).toEqual([`${sessionId} deleted`]);
    await expect(agent.delete(sessionId, 'admin')).rejects.toMatchObject({ statusCode: 404 });
    await expect(agent.prompt({ message: 'Hi', sessionId, by: 'admin' })).rejects.toMatchObject({
      statusCode: 404,
    });
  });

  it('takes no prompt any more once it has begun', async () => {
    const hold = holdNth(1);
    const store = faulty(createMemoryStore(), { delete: hold.fault });
    const { agent, quiet } = createFixture([reply('done')], { store });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    await quiet(sessionId);
    const deleting = agent.delete(sessionId, 'admin');
    await hold.arrived;
    await expect(agent.prompt({ message: 'Hi', sessionId, by: 'admin' })).rejects.toMatchObject({
      statusCode: 409,
    });
    hold.release();
    await deleting;
  });

  it('happens by itself after the days of retention, except to what is at work or waits', async () => {
    const kill = recordingTool('kill', 'disruptive');
    const { agent, clock, quiet } = createFixture(
      [reply('old'), calls({ name: 'kill', arguments: {} }), reply('young')],
      { tools: [kill.tool], settings: { retentionDays: 1 } },
    );
    const old = await agent.prompt({ message: 'Old', by: 'admin' });
    await quiet(old.sessionId);
    const waiting = await agent.prompt({ message: 'Waiting', by: 'admin' });
    await quiet(waiting.sessionId);
    await clock.advance(23 * 3_600_000);
    const young = await agent.prompt({ message: 'Young', by: 'admin' });
    await quiet(young.sessionId);
    await clock.advance(2 * 3_600_000);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    const left = (await agent.list()).items.map((header) => header.id);
    expect(left.toSorted()).toEqual([waiting.sessionId, young.sessionId].toSorted());
  });

  it('by retention spares the session that was prompted since it was listed, and one that cannot go keeps no other', async () => {
    const page = holdNth(1);
    const gone: unknown[] = [];
    const store = faulty(createMemoryStore(), {
      async list({ nth, args, proceed }) {
        const listed = await proceed();
        return page.fault({ nth, args, proceed: () => listed });
      },
      async delete({ proceed, args: [id] }) {
        if (id === stuck.sessionId) throw new Error('disk full');
        await proceed();
        gone.push(id);
      },
    });
    const { agent, clock, quiet } = createFixture(() => reply('done'), {
      store,
      settings: { retentionDays: 0.01 },
    });
    const old = await agent.prompt({ message: 'Old', by: 'admin' });
    await quiet(old.sessionId);
    const prompted = await agent.prompt({ message: 'Prompted', by: 'admin' });
    await quiet(prompted.sessionId);
    const stuck = await agent.prompt({ message: 'Stuck', by: 'admin' });
    await quiet(stuck.sessionId);
    await clock.advance(3_600_000);
    await page.arrived;
    await agent.prompt({ sessionId: prompted.sessionId, message: 'More', by: 'admin' });
    await quiet(prompted.sessionId);
    page.release();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(gone).toEqual([old.sessionId]);
    expect((await agent.get(prompted.sessionId)).header.status).toBe('completed');
  });

  it('is possible for a session whose journal is damaged, and that is not possible for anything else', async () => {
    const store = createMemoryStore();
    const first = createFixture([reply('done')], { store });
    const { sessionId } = await first.agent.prompt({ message: 'Go', by: 'admin' });
    await first.quiet(sessionId);
    const short = faulty(store, {
      async load() {
        const stored = await store.load(sessionId);
        return stored && { ...stored, entries: stored.entries.slice(0, -1) };
      },
    });
    const { agent } = createFixture([], { store: short });
    await expect(agent.get(sessionId)).rejects.toMatchObject({ code: 'corrupt_journal' });
    await expect(agent.prompt({ sessionId, message: 'Hi', by: 'admin' })).rejects.toMatchObject({
      code: 'corrupt_journal',
    });
    await agent.delete(sessionId, 'admin');
    expect(await store.load(sessionId)).toBeUndefined();
  });
});
