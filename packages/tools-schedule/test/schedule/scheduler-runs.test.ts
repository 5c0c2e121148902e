import { describe, expect, it } from 'vitest';
import { ConflictError } from '@harperfast/agent-core/contracts';
import { DAY, MINUTE, openScheduler, schedule } from '../support/open-scheduler.js';

describe('the run of a followup', () => {
  it('shows in the list when it went wrong', async () => {
    const opened = openScheduler({ watched: true });
    await schedule(opened, { in: '1m' });
    await opened.clock.advance(MINUTE);
    opened.endRun('s1', 'model_error', 'the model is down');
    await opened.clock.advance(0);
    expect(await opened.scheduler.list('s1')).toMatchObject([
      { state: 'done', lastRun: { slot: 1, reason: 'model_error', error: 'the model is down' } },
    ]);
    await opened.clock.advance(DAY);
    expect(opened.deliveries).toHaveLength(1);
  });

  it('is not confused with one that ended before its prompt was read', async () => {
    const opened = openScheduler({ watched: true });
    await schedule(opened, { in: '1m' });
    await opened.clock.advance(MINUTE);
    opened.endRun('s1', 'max_turns', undefined, { carriedUpTo: 0 });
    await opened.clock.advance(0);
    expect((await opened.scheduler.list('s1'))[0]?.lastRun?.reason).toBeUndefined();
    opened.endRun('s1', 'answered');
    await opened.clock.advance(0);
    expect((await opened.scheduler.list('s1'))[0]?.lastRun?.reason).toBe('answered');
  });

  it('holds up the next due times of a repetition, which become one', async () => {
    const opened = openScheduler({ watched: true });
    await schedule(opened, { every: '1m', times: 10 });
    await schedule(opened, { in: '3m' }, 's1', 'another one');
    await opened.clock.advance(5 * MINUTE);
    expect(opened.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(['f1:1', 'f2:1']);
    opened.endRun('s1', 'answered');
    await opened.clock.advance(0);
    expect(opened.deliveries[2]).toMatchObject({ deliveryId: 'f1:5', missed: 3 });
  });

  it('is known to be over when the process that began it ended', async () => {
    const first = openScheduler({ watched: true });
    await schedule(first, { every: '1m', times: 3 });
    await first.clock.advance(MINUTE);
    await first.scheduler.close();
    const next = openScheduler(first);
    // As the recovery of the sessions does, before anything is delivered.
    next.endRun('s1', 'interrupted', 'The process ended while the run was at work.');
    await next.clock.advance(0);
    await next.scheduler.start();
    expect(await next.scheduler.list('s1')).toMatchObject([
      { state: 'pending', lastRun: { slot: 1, reason: 'interrupted' } },
    ]);
    await next.clock.advance(MINUTE);
    expect(next.deliveries).toMatchObject([{ deliveryId: 'f1:2' }]);
  });

  it('is known to be over when the process ended between the prompt and the word of it', async () => {
    const first = openScheduler({ watched: true, deliver: () => new Promise(() => {}) });
    await schedule(first, { in: '1m' });
    await first.clock.advance(MINUTE);
    await first.scheduler.close();
    const next = openScheduler({ ...first, taken: new Set(['f1:1']) });
    next.endRun('s1', 'interrupted');
    await next.clock.advance(0);
    expect(next.deliveries).toEqual([]);
    await next.scheduler.start();
    await next.clock.advance(0);
    expect(next.deliveries).toMatchObject([{ deliveryId: 'f1:1' }]);
    expect(await next.scheduler.list('s1')).toMatchObject([
      { state: 'done', lastRun: { slot: 1, reason: 'interrupted' } },
    ]);
  });
});

describe('a session whose budget is used up', () => {
  it('pauses its repetitions and alerts once; the next prompt of an operator lets them go on', async () => {
    const opened = openScheduler({ watched: true });
    await schedule(opened, { every: '1m', times: 30 });
    await schedule(opened, { every: '1m', times: 30 });
    await schedule(opened, { in: '90s' }, 's1', 'once');
    await schedule(opened, { every: '1m', times: 2 }, 's2');
    await opened.clock.advance(MINUTE);
    opened.endRun('s1', 'budget', 'Spent 5 of 5 USD.');
    opened.endRun('s2', 'answered');
    await opened.clock.advance(0);
    expect(opened.alerts).toEqual([
      {
        sessionId: 's1',
        level: 'warning',
        text: '2 repeated followups of this session wait for the next prompt of an operator: its budget is used up. Spent 5 of 5 USD.',
      },
    ]);
    await opened.clock.advance(10 * MINUTE);
    opened.endRun('s1', 'budget', 'Spent 5 of 5 USD.');
    await opened.clock.advance(0);
    expect(opened.alerts).toHaveLength(1);
    expect(opened.deliveries.filter(({ sessionId }) => sessionId === 's1')).toHaveLength(3);
    expect((await opened.scheduler.list('s1')).filter(({ paused }) => paused === 'budget')).toHaveLength(2);

    opened.operatorPrompts('s1');
    await opened.clock.advance(0);
    expect(opened.deliveries.slice(-1)).toMatchObject([{ deliveryId: 'f1:11', missed: 9 }]);
    expect((await opened.scheduler.list('s1')).some(({ paused }) => paused !== undefined)).toBe(false);
  });

  it('keeps its repetitions paused over a restart', async () => {
    const first = openScheduler({ watched: true });
    await schedule(first, { every: '1m', times: 30 });
    await first.clock.advance(MINUTE);
    first.endRun('s1', 'budget');
    await first.clock.advance(0);
    await first.scheduler.close();
    const next = openScheduler(first);
    await next.scheduler.start();
    await next.clock.advance(10 * MINUTE);
    expect(next.deliveries).toEqual([]);
    next.operatorPrompts('s1');
    await next.clock.advance(0);
    expect(next.deliveries).toHaveLength(1);
  });
});

describe('a session that goes on and on without an operator', () => {
  it('has its followups wait for one, and says so once', async () => {
    let limit = true;
    const deliver = async () => {
      if (limit) throw new ConflictError('500 runs, that is enough.', { code: 'unattended_limit' });
    };
    const opened = openScheduler({ watched: true, deliver });
    await schedule(opened, { in: '1m' });
    await schedule(opened, { every: '1m', times: 30 });
    await opened.clock.advance(10 * MINUTE);
    expect(opened.deliveries).toHaveLength(2);
    expect(opened.alerts).toMatchObject([
      { level: 'warning', text: 'The followups of this session wait. 500 runs, that is enough.' },
    ]);
    expect(await opened.scheduler.list('s1')).toMatchObject([
      { paused: 'unattended', state: 'pending' },
      { paused: 'unattended', state: 'pending' },
    ]);
    limit = false;
    opened.operatorPrompts('s1');
    await opened.clock.advance(5 * MINUTE);
    expect(opened.deliveries.slice(2).map(({ deliveryId }) => deliveryId)).toContain('f1:1');
  });
});

describe('what is settled', () => {
  it('is kept within bounds, the latest of it', async () => {
    const opened = openScheduler({ watched: true });
    for (let index = 0; index < 30; index++) {
      await schedule(opened, { in: '10s' }, 's1', `no ${index}`);
      await opened.clock.advance(10_000);
      opened.endRun('s1', 'answered');
    }
    await opened.clock.advance(0);
    expect(opened.deliveries).toHaveLength(30);
    const kept = await opened.scheduler.list('s1');
    expect(kept.map(({ prompt }) => prompt)).toEqual(
      Array.from({ length: 20 }, (_, index) => `no ${29 - index}`),
    );
    expect(await opened.store.list()).toHaveLength(20);
  });
});
