import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createUnderWay } from '../../src/workers/under-way.js';

describe('createUnderWay', () => {
  it('is over when all is, what fails and what comes meanwhile too', async () => {
    const underWay = createUnderWay();
    const gates = new EventEmitter();
    const order: string[] = [];
    const failing = underWay.track(Promise.reject(new Error('no')));
    void underWay.track(once(gates, 'first'));
    const over = underWay.over().then(() => order.push('over'));
    await expect(failing).rejects.toThrow('no');
    void underWay.track(once(gates, 'second').then(() => order.push('second')));
    gates.emit('first');
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    gates.emit('second');
    await over;
    expect(order).toEqual(['second', 'over']);
  });

  it('is over at once where there is nothing', async () => {
    await expect(createUnderWay().over()).resolves.toBeUndefined();
  });
});
