import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, openScheduler, schedule } from '../support/open-scheduler.js';

describe('a restart', () => {
  it('keeps the absolute due time', async () => {
    const first = openScheduler();
    await schedule(first, { in: '1m' });
    await first.clock.advance(50_000);
    await first.scheduler.close();
    const second = openScheduler(first);
    await second.scheduler.start();
    await second.clock.advance(9999);
    expect(second.deliveries).toEqual([]);
    await second.clock.advance(1);
    expect(second.deliveries).toHaveLength(1);
  });

  it('collapses the missed runs into one that says how many, then keeps to the grid', async () => {
    const first = openScheduler();
    await schedule(first, { every: '5m', until: '1h' });
    const start = first.clock.now();
    await first.clock.advance(6 * MINUTE);
    await first.scheduler.close();
    await first.clock.advance(15 * MINUTE);
    const second = openScheduler(first);
    await second.scheduler.start();
    await second.clock.advance(4 * MINUTE);
    expect(second.deliveries.map(({ dueAt, missed }) => [(dueAt - start) / MINUTE, missed])).toEqual([
      [20, 2],
      [25, 0],
    ]);
  });

  it('delivers once what was due while nothing ran, and nothing again at the starts after that', async () => {
    const first = openScheduler();
    await schedule(first, { in: '1m' });
    await first.scheduler.close();
    await first.clock.advance(DAY);
    const counts: number[] = [];
    for (let start = 0; start < 3; start++) {
      const next = openScheduler(first);
      await next.scheduler.start();
      await next.scheduler.start();
      await next.clock.advance(10 * MINUTE);
      counts.push(next.deliveries.length);
      await next.scheduler.close();
    }
    expect(counts).toEqual([1, 0, 0]);
  });

  it('fires once where two schedulers share a store', async () => {
    const first = openScheduler();
    await schedule(first, { every: '1m', times: 3 });
    const second = openScheduler(first);
    await second.scheduler.start();
    await first.clock.advance(10 * MINUTE);
    const ids = [...first.deliveries, ...second.deliveries].map(({ deliveryId }) => deliveryId);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
  });

  it('delivers again, under the same id, what was being delivered when the process ended', async () => {
    const first = openScheduler({ deliver: () => new Promise(() => {}) });
    await schedule(first, { in: '1m' });
    await first.clock.advance(MINUTE);
    expect(first.deliveries).toHaveLength(1);
    // Closed in the middle of a delivery: the stored claim is what a crash would have left.
    await first.scheduler.close();
    const second = openScheduler(first);
    await second.scheduler.start();
    await second.clock.advance(MINUTE);
    expect(second.deliveries).toEqual(first.deliveries);
    expect(await second.store.list()).toMatchObject([{ state: 'done', delivered: 1 }]);
  });

  it('gives up what ends the process at every attempt', async () => {
    const first = openScheduler();
    await schedule(first, { in: '1m' });
    await first.scheduler.close();
    const counts: number[] = [];
    for (let start = 0; start < 7; start++) {
      const next = openScheduler({
        ...first,
        deliver: () => new Promise(() => {}),
        limits: { deliveryMs: 20_000 },
      });
      await next.scheduler.start();
      // What was being delivered is delivered at once; the deadline of that lies beyond this.
      await next.clock.advance(start === 0 ? MINUTE : 10);
      counts.push(next.deliveries.length);
      await next.scheduler.close();
    }
    expect(counts).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(await first.store.list()).toMatchObject([
      { state: 'failed', lastError: 'The process ended during each attempt' },
    ]);
  });
});
