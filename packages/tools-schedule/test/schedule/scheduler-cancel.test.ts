import { describe, expect, it } from 'vitest';
import { awkwardStore, DAY, MINUTE, openScheduler, schedule } from '../support/open-scheduler.js';
import { rejection } from '../support/rejection.js';

describe('cancelling', () => {
  it('removes the followup for good', async () => {
    const opened = openScheduler();
    const { id } = await schedule(opened, { every: '1m' });
    await opened.clock.advance(MINUTE);
    await opened.scheduler.cancel('s1', id);
    await opened.clock.advance(DAY);
    expect(opened.deliveries).toHaveLength(1);
    await opened.scheduler.close();
    const next = openScheduler(opened);
    await next.scheduler.start();
    await next.clock.advance(DAY);
    expect(next.deliveries).toEqual([]);
  });

  it("refuses another session's followup as if it were not there", async () => {
    const opened = openScheduler();
    const { id } = await schedule(opened, { in: '1m' }, 's1');
    const own = await schedule(opened, { in: '1m' }, 's2');
    await expect(opened.scheduler.cancel('s2', id)).rejects.toThrow(
      `This session has no followup "${id}": it has ${own.id}`,
    );
    await expect(opened.scheduler.cancel('s3', id)).rejects.toThrow('it has none');
    expect(await opened.scheduler.list('s1')).toHaveLength(1);
  });

  it.each(['hold', 'holdAnswer'] as const)(
    'wins over a claim that is just being stored (%s)',
    async (point) => {
      const { store, state } = awkwardStore();
      const opened = openScheduler({ store });
      const { id } = await schedule(opened, { in: '1m' });
      let release = () => {};
      state[point] = new Promise((resolve) => (release = resolve));
      await opened.clock.advance(MINUTE);
      const cancelled = opened.scheduler.cancel('s1', id);
      release();
      await cancelled;
      await opened.clock.advance(0);
      expect(await opened.scheduler.list('s1')).toMatchObject([{ state: 'cancelled' }]);
      await opened.clock.advance(DAY);
      expect(opened.deliveries).toEqual([]);
      expect(await store.list()).toMatchObject([{ state: 'cancelled', delivered: 0 }]);
    },
  );

  it('aborts a delivery that is under way, and what it does later brings nothing back', async () => {
    let finish = () => {};
    const signals: AbortSignal[] = [];
    const deliver = (_delivery: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<void>((resolve) => (finish = resolve));
    };
    const opened = openScheduler({ deliver });
    const { id } = await schedule(opened, { every: '1m' });
    await opened.clock.advance(MINUTE);
    await opened.scheduler.cancel('s1', id);
    expect(signals[0]?.aborted).toBe(true);
    finish();
    await opened.clock.advance(DAY);
    expect(signals).toHaveLength(1);
    expect(await opened.store.list()).toMatchObject([{ state: 'cancelled' }]);
  });

  it('is refused for what has come to its end', async () => {
    const opened = openScheduler();
    const { id } = await schedule(opened, { in: '1m' });
    await opened.clock.advance(MINUTE);
    await expect(opened.scheduler.cancel('s1', id)).rejects.toThrow('is done already');
  });

  it("takes all of a session's, which stay listed, and leaves the others", async () => {
    const opened = openScheduler();
    const { id: done } = await schedule(opened, { in: '1m' }, 's1');
    await opened.clock.advance(MINUTE);
    await schedule(opened, { in: '1m' }, 's1');
    await schedule(opened, { every: '1m' }, 's1');
    await schedule(opened, { in: '1m' }, 's10');
    await opened.scheduler.endSession('s1', 'cancelled');
    await opened.clock.advance(DAY);
    expect(opened.deliveries.map(({ sessionId }) => sessionId)).toEqual(['s1', 's10']);
    const listed = await opened.scheduler.list('s1');
    expect(listed.map(({ state }) => state).toSorted()).toEqual(['cancelled', 'cancelled', 'done']);
    expect(listed.find(({ id }) => id === done)?.state).toBe('done');
    expect((await opened.store.list()).filter(({ state }) => state === 'cancelled')).toHaveLength(2);
  });

  it('takes the one on its way, too, and what is scheduled afterwards comes', async () => {
    let finish = () => {};
    const signals: AbortSignal[] = [];
    const opened = openScheduler({
      deliver: (_delivery, signal) => {
        signals.push(signal);
        return new Promise<void>((resolve) => (finish = resolve));
      },
    });
    await schedule(opened, { every: '1m' });
    await opened.clock.advance(MINUTE);
    expect(signals).toHaveLength(1);
    await opened.scheduler.endSession('s1', 'cancelled');
    expect(signals[0]?.aborted).toBe(true);
    expect(await opened.store.list()).toMatchObject([{ state: 'cancelled' }]);
    finish();
    await schedule(opened, { in: '1m' });
    await opened.clock.advance(MINUTE);
    expect(signals).toHaveLength(2);
  });

  it('goes, all of it, with a session that is deleted, and leaves the others', async () => {
    const opened = openScheduler();
    await schedule(opened, { in: '1m' }, 's1');
    await schedule(opened, { every: '1m' }, 's1');
    await schedule(opened, { in: '1m' }, 's10');
    await opened.scheduler.endSession('s1', 'deleted');
    await opened.clock.advance(DAY);
    expect(opened.deliveries.map(({ sessionId }) => sessionId)).toEqual(['s10']);
    expect(await opened.store.list()).toMatchObject([{ sessionId: 's10', state: 'done' }]);
  });

  it.each(['cancelled', 'deleted'] as const)('takes one on its way into the store: %s', async (why) => {
    const { store, state } = awkwardStore();
    const opened = openScheduler({ store });
    await opened.scheduler.start();
    let release = () => {};
    state.hold = new Promise((resolve) => (release = resolve));
    const scheduled = schedule(opened, { in: '1m' });
    const refused = rejection(scheduled);
    await opened.clock.advance(0);
    await opened.scheduler.endSession('s1', why);
    release();
    expect(await refused).toMatchObject({
      message: 'The session ended while its followup f1 was being stored',
    });
    await opened.clock.advance(DAY);
    expect(opened.deliveries).toEqual([]);
    expect(await store.list()).toEqual([]);
  });
});
