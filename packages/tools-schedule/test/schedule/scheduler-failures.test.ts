import { describe, expect, it } from 'vitest';
import { NotFoundError } from '@harperfast/agent-core/contracts';
import { createMemoryFollowupStore } from '../../src/schedule/store.js';
import { awkwardStore, DAY, MINUTE, openScheduler, schedule } from '../support/open-scheduler.js';

describe('a delivery that fails', () => {
  it('is tried five times, is listed with its reason, and is cleared away after a week', async () => {
    const deliver = async () => {
      throw new Error('the queue is full');
    };
    const opened = openScheduler({ deliver });
    await schedule(opened, { in: '1m' });
    await opened.clock.advance(10 * MINUTE);
    expect(opened.deliveries).toHaveLength(5);
    expect(new Set(opened.deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(await opened.scheduler.list('s1')).toMatchObject([
      { state: 'failed', lastError: 'the queue is full' },
    ]);
    expect(opened.alerts).toMatchObject([
      { sessionId: 's1', level: 'warning', text: 'The followup f1 was given up: the queue is full' },
    ]);
    expect(opened.log).toHaveLength(5);
    expect(opened.log[4]).toContain('it is given up: the queue is full');
    await opened.clock.advance(8 * DAY);
    expect(opened.deliveries).toHaveLength(5);
    expect(await opened.store.list()).toEqual([]);
  });

  it('is forgotten once a later attempt is taken', async () => {
    let attempts = 0;
    const deliver = async () => {
      if (++attempts < 3) throw new Error('not yet');
    };
    const opened = openScheduler({ deliver });
    await schedule(opened, { every: '1m', times: 2 });
    await opened.clock.advance(90_000);
    expect(await opened.scheduler.list('s1')).toMatchObject([{ delivered: 1, attempts: 0 }]);
    expect((await opened.scheduler.list('s1'))[0]).not.toHaveProperty('lastError');
  });

  it('counts as failed at its deadline, and its signal aborts', async () => {
    const signals: AbortSignal[] = [];
    const deliver = (_delivery: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<void>(() => {});
    };
    const opened = openScheduler({ deliver });
    await schedule(opened, { in: '1m' });
    await opened.clock.advance(MINUTE + 10_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await opened.scheduler.list('s1')).toMatchObject([
      { lastError: 'It was not done within 10000 ms' },
    ]);
  });

  it('drops the followup when its session is gone', async () => {
    const deliver = async () => {
      throw new NotFoundError('There is no session s1');
    };
    const opened = openScheduler({ deliver });
    await schedule(opened, { every: '1m' });
    await opened.clock.advance(DAY);
    expect(opened.deliveries).toHaveLength(1);
    expect(await opened.store.list()).toEqual([]);
  });

  it('holds up no other session', async () => {
    const deliver = ({ sessionId }: { sessionId: string }) =>
      sessionId === 'stuck' ? new Promise<void>(() => {}) : Promise.resolve();
    const opened = openScheduler({ deliver });
    await schedule(opened, { in: '1m' }, 'stuck');
    await schedule(opened, { in: '1m' }, 'fine');
    await opened.clock.advance(MINUTE);
    expect(opened.deliveries.map(({ sessionId }) => sessionId)).toEqual(['stuck', 'fine']);
    expect(await opened.scheduler.list('fine')).toMatchObject([{ state: 'done' }]);
  });
});

describe('a store that fails', () => {
  it('refuses what cannot be stored, and keeps no trace of it', async () => {
    const { store, state } = awkwardStore();
    const opened = openScheduler({ store });
    state.failing = 1;
    await expect(schedule(opened, { in: '1m' })).rejects.toThrow('disk full');
    expect(await opened.scheduler.list('s1')).toEqual([]);
    await opened.clock.advance(DAY);
    expect(opened.deliveries).toEqual([]);
  });

  it('delays a delivery whose claim cannot be stored, and does not spin', async () => {
    const { store, state } = awkwardStore();
    const opened = openScheduler({ store });
    await schedule(opened, { in: '1m' });
    state.failing = 3;
    await opened.clock.advance(MINUTE + 14_999);
    expect(opened.deliveries).toEqual([]);
    expect(opened.log).toHaveLength(3);
    await opened.clock.advance(1);
    expect(opened.deliveries).toHaveLength(1);
  });

  it('is read again by the next call when the first one failed', async () => {
    let failing = true;
    const inner = createMemoryFollowupStore();
    const store = {
      ...inner,
      list: () => (failing ? Promise.reject(new Error('not open yet')) : inner.list()),
    };
    const opened = openScheduler({ store });
    await expect(opened.scheduler.start()).rejects.toThrow('not open yet');
    failing = false;
    await schedule(opened, { in: '1m' });
    await opened.clock.advance(MINUTE);
    expect(opened.deliveries).toHaveLength(1);
  });
});
