import { describe, expect, it } from 'vitest';
import { NotFoundError } from '@harperfast/agent-core/contracts';
import { createFakeClock } from '@harperfast/agent-testkit';
import { DAY, MINUTE, openScheduler, schedule } from '../support/open-scheduler.js';

/** Schedules, closes, lets time pass, and starts again on the same store. */
async function afterDowntime(
  ms: number,
  plan: (first: ReturnType<typeof openScheduler>) => Promise<unknown>,
) {
  const first = openScheduler({ watched: true });
  await plan(first);
  await first.scheduler.close();
  await first.clock.advance(ms);
  const next = openScheduler(first);
  await next.scheduler.start();
  await next.clock.advance(0);
  return next;
}

describe('after a downtime', () => {
  it('delivers within the grace, late', async () => {
    const opened = await afterDowntime(DAY, (first) => schedule(first, { in: '1m' }));
    expect(opened.deliveries).toHaveLength(1);
    expect(opened.alerts).toEqual([]);
  });

  it('marks as missed what is later than the grace, says so once a session, and delivers the rest', async () => {
    const opened = await afterDowntime(DAY + 2 * MINUTE, async (first) => {
      await schedule(first, { in: '1m' });
      await schedule(first, { every: '1m', times: 1 });
      await schedule(first, { in: '1h' }, 's1', 'not too late');
      await schedule(first, { in: '1m' }, 's2');
    });
    expect(opened.deliveries.map(({ prompt }) => prompt)).toEqual(['not too late']);
    const alerts = opened.alerts.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
    expect(alerts.map(({ sessionId, level, text }) => [sessionId, level, text])).toEqual([
      [
        's1',
        'warning',
        'Nothing ran when these followups were due, and more than 86400 s have passed, so they were left out: f1 (due at 2030-01-01T00:01:00Z), f2 (due at 2030-01-01T00:01:00Z)',
      ],
      ['s2', 'warning', expect.stringContaining('f4')],
    ]);
    expect((await opened.scheduler.list('s1')).map(({ state }) => state).sort()).toEqual([
      'done',
      'missed',
      'missed',
    ]);
    await opened.clock.advance(DAY);
    expect(opened.deliveries).toHaveLength(1);
    expect(opened.alerts).toHaveLength(2);
  });

  it('lets a repetition that has further due times go on, and the next run says what was missed', async () => {
    const opened = await afterDowntime(5 * DAY, (first) => schedule(first, { every: '3d', times: 5 }));
    expect(opened.deliveries).toEqual([]);
    expect(opened.alerts).toHaveLength(1);
    await opened.clock.advance(DAY);
    expect(opened.deliveries).toMatchObject([{ deliveryId: 'f1:2', missed: 1 }]);
  });

  it('clears away what is missed in a session that is gone', async () => {
    const first = openScheduler();
    await schedule(first, { in: '1m' });
    await first.scheduler.close();
    await first.clock.advance(2 * DAY);
    const next = openScheduler({
      ...first,
      alert: async () => {
        throw new NotFoundError('There is no session s1');
      },
    });
    await next.scheduler.start();
    await next.clock.advance(0);
    expect(await next.store.list()).toEqual([]);
  });
});

describe('a wall clock that is set', () => {
  function steppedClock() {
    const clock = createFakeClock();
    let offset = 0;
    return {
      clock: { ...clock, now: () => clock.now() + offset },
      step: (ms: number) => void (offset += ms),
    };
  }

  it('forward: what became due is delivered within minutes, once', async () => {
    const { clock, step } = steppedClock();
    const opened = openScheduler({ clock });
    await schedule(opened, { in: '10h' });
    await clock.advance(MINUTE);
    step(12 * 60 * MINUTE);
    await clock.advance(5 * MINUTE);
    expect(opened.deliveries).toHaveLength(1);
    step(-12 * 60 * MINUTE);
    await clock.advance(DAY);
    expect(opened.deliveries).toHaveLength(1);
  });

  it('back: a repetition goes on at its interval, with the runs it has left', async () => {
    const { clock, step } = steppedClock();
    const opened = openScheduler({ clock });
    await schedule(opened, { every: '1m', times: 10 });
    await clock.advance(3.5 * MINUTE);
    expect(opened.deliveries).toHaveLength(3);
    step(-30 * DAY);
    await clock.advance(20 * MINUTE);
    expect(opened.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(
      Array.from({ length: 10 }, (_, index) => `f1:${index + 1}`),
    );
    expect(opened.deliveries.map(({ missed }) => missed)).toEqual(Array(10).fill(0));
  });

  it('back: an attempt that failed is made again', async () => {
    const { clock, step } = steppedClock();
    let failing = true;
    const deliver = async () => {
      if (failing) throw new Error('not now');
    };
    const opened = openScheduler({ clock, deliver });
    await schedule(opened, { in: '1m' });
    await clock.advance(MINUTE);
    step(-DAY);
    failing = false;
    await clock.advance(5 * MINUTE);
    expect(opened.deliveries).toHaveLength(2);
    expect(await opened.store.list()).toMatchObject([{ state: 'done' }]);
  });
});

describe('a backlog', () => {
  it('is released one by one, each when the run of the one before is over, whatever its session', async () => {
    const opened = await afterDowntime(60 * MINUTE, async (first) => {
      for (const session of ['s1', 's2', 's3']) await schedule(first, { in: '1m' }, session);
    });
    expect(opened.deliveries.map(({ sessionId }) => sessionId)).toEqual(['s1']);
    opened.endRun('s2', 'answered');
    await opened.clock.advance(0);
    expect(opened.deliveries).toHaveLength(1);
    opened.endRun('s1', 'answered');
    await opened.clock.advance(0);
    expect(opened.deliveries.map(({ sessionId }) => sessionId)).toEqual(['s1', 's2']);
    opened.endRun('s2', 'model_error');
    await opened.clock.advance(0);
    expect(opened.deliveries).toHaveLength(3);
  });

  it('does not wait for ever for a run, nor at all for a delivery that failed', async () => {
    const opened = await afterDowntime(60 * MINUTE, async (first) => {
      for (const session of ['s1', 's2']) await schedule(first, { in: '1m' }, session);
    });
    await opened.clock.advance(2 * MINUTE - 1);
    expect(opened.deliveries).toHaveLength(1);
    await opened.clock.advance(1);
    expect(opened.deliveries).toHaveLength(2);
  });

  it('lets pass what is on time', async () => {
    const opened = await afterDowntime(60 * MINUTE, async (first) => {
      await schedule(first, { in: '1m' }, 's1');
      await schedule(first, { in: '61m' }, 's2');
    });
    await opened.clock.advance(MINUTE);
    expect(opened.deliveries.map(({ sessionId }) => sessionId)).toEqual(['s1', 's2']);
  });
});
