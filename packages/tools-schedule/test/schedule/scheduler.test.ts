import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '@harperfast/agent-testkit';
import { DEFAULT_SCHEDULE_LIMITS } from '../../src/schedule/limits.js';
import { createMemoryFollowupStore } from '../../src/schedule/store.js';
import { DAY, MINUTE, openScheduler, schedule } from '../support/open-scheduler.js';

describe('createScheduler', () => {
  it('delivers when it is due and not before', async () => {
    const opened = openScheduler();
    const { id, dueAt } = await schedule(opened, { in: '5m' });
    await opened.clock.advance(5 * MINUTE - 1);
    expect(opened.deliveries).toEqual([]);
    await opened.clock.advance(1);
    expect(opened.deliveries).toEqual([
      {
        deliveryId: `${id}:1`,
        followupId: id,
        sessionId: 's1',
        prompt: 'check',
        dueAt,
        missed: 0,
      },
    ]);
    expect(await opened.store.list()).toMatchObject([{ id, state: 'done', delivered: 1 }]);
  });

  it('does not fire a delay of thirty days early, nor sets a timer that overflows', async () => {
    const clock = createFakeClock();
    const longest: number[] = [];
    const watched = {
      ...clock,
      setTimer: (ms: number, callback: () => void) => {
        longest.push(ms);
        return clock.setTimer(ms, callback);
      },
    };
    const opened = openScheduler({ clock: watched });
    await schedule(opened, { in: '30d' });
    await clock.advance(30 * DAY - 1);
    expect(opened.deliveries).toEqual([]);
    await clock.advance(1);
    expect(opened.deliveries).toHaveLength(1);
    expect(Math.max(...longest)).toBeLessThan(2 ** 31);
  });

  it('sets one timer, whatever the number of followups', async () => {
    const opened = openScheduler();
    for (const delay of ['3m', '1m', '2m']) await schedule(opened, { in: delay });
    expect(opened.clock.pending()).toBe(1);
    await opened.clock.advance(MINUTE);
    expect(opened.deliveries).toHaveLength(1);
    expect(opened.clock.pending()).toBe(1);
  });

  it('runs every five minutes for the next hour', async () => {
    const opened = openScheduler();
    await schedule(opened, { every: '5m', until: '1h' });
    const start = opened.clock.now();
    await opened.clock.advance(3 * 60 * MINUTE);
    const expected = Array.from({ length: 12 }, (_, index) => start + (index + 1) * 5 * MINUTE);
    expect(opened.deliveries.map(({ dueAt }) => dueAt)).toEqual(expected);
    expect(new Set(opened.deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(12);
    expect(await opened.store.list()).toMatchObject([{ state: 'done', delivered: 12, missed: 0 }]);
  });

  it('has stored the claim before it delivers', async () => {
    const store = createMemoryFollowupStore();
    const seen: unknown[] = [];
    const deliver = async () => void seen.push(...(await store.list()));
    const opened = openScheduler({ store, deliver });
    await schedule(opened, { in: '1m' });
    await opened.clock.advance(MINUTE);
    expect(seen).toMatchObject([{ revision: 2, state: 'firing', attempts: 1 }]);
  });

  it('delivers in the context it was made in, not in that of the call that scheduled', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const deliver = async () => void seen.push(context.getStore());
    const opened = context.run('agent', () => openScheduler({ deliver }));
    await context.run('request', () => schedule(opened, { in: '1m' }));
    await context.run('request', () => schedule(opened, { in: '2m' }));
    await opened.clock.advance(2 * MINUTE);
    expect(seen).toEqual(['agent', 'agent']);
  });
});

describe('a backlog', () => {
  it('is delivered a few at a time, and one at a time for each session', async () => {
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const perSession = new Map<string, number>();
    const deliver = ({ sessionId }: { sessionId: string }) =>
      new Promise<void>((resolve) => {
        running += 1;
        most = Math.max(most, running);
        perSession.set(sessionId, (perSession.get(sessionId) ?? 0) + 1);
        expect(perSession.get(sessionId)).toBe(1);
        ends.push(() => {
          running -= 1;
          perSession.set(sessionId, 0);
          resolve();
        });
      });
    const opened = openScheduler({ deliver });
    for (let index = 0; index < 30; index++)
      await schedule(opened, { in: '1m' }, `s${Math.floor(index / 2)}`);
    await opened.clock.advance(MINUTE);
    while (ends.length > 0) {
      ends.shift()?.();
      await opened.clock.advance(0);
    }
    expect(opened.deliveries).toHaveLength(30);
    expect(most).toBe(DEFAULT_SCHEDULE_LIMITS.concurrentDeliveries);
  });

  it('cannot grow past the limits', async () => {
    const opened = openScheduler({ limits: { total: 30 } });
    const scheduleMany = (sessionId: string) =>
      Promise.allSettled(Array.from({ length: 25 }, () => schedule(opened, { every: '1h' }, sessionId)));
    const [own, other] = await Promise.all([scheduleMany('s1'), scheduleMany('s2')]);
    const stored = [...own, ...other].filter(({ status }) => status === 'fulfilled');
    expect(stored).toHaveLength(30);
    expect(await opened.store.list()).toHaveLength(30);
    expect(await opened.scheduler.list('s1')).toHaveLength(20);
    await expect(schedule(opened, { in: '1h' }, 's1')).rejects.toMatchObject({
      code: 'followup_limit',
      statusCode: 409,
    });
    await expect(schedule(opened, { in: '1h' }, 's3')).rejects.toThrow(
      'There are 30 followups in all sessions',
    );
  });
});

describe('close', () => {
  it('leaves no timer, refuses what comes later, and waits for no deaf delivery', async () => {
    const opened = openScheduler({ deliver: () => new Promise(() => {}) });
    await schedule(opened, { in: '1m' });
    await schedule(opened, { in: '2m' });
    await opened.clock.advance(MINUTE);
    await opened.scheduler.close();
    await opened.scheduler.close();
    expect(opened.clock.pending()).toBe(0);
    await expect(schedule(opened, { in: '1m' })).rejects.toThrow('The scheduler is closed');
    expect(await opened.store.list()).toHaveLength(2);
  });
});
