import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTurnstile } from '../../src/run/turnstile.js';

describe('a turnstile', () => {
  it('lets a number through at once and the others in the turns after, in order', async () => {
    const turnstile = createTurnstile(2);
    const passed: number[] = [];
    const pass = async (number: number): Promise<void> => {
      await turnstile();
      passed.push(number);
    };
    const all = Promise.all([1, 2, 3, 4, 5].map(pass));
    const seen: number[][] = [];
    while (passed.length < 5) {
      await nextTurn();
      seen.push([...passed]);
    }
    expect(seen[0]?.length).toBeLessThanOrEqual(4);
    expect(passed).toEqual([1, 2, 3, 4, 5]);
    await all;
  });

  it('gives nothing to wait for while few come', async () => {
    const turnstile = createTurnstile(1);
    expect(turnstile()).toBeUndefined();
    expect(turnstile()).toBeInstanceOf(Promise);
    await nextTurn();
    await nextTurn();
    await nextTurn();
    expect(turnstile()).toBeUndefined();
  });

  it('does not let those who come later overtake those who wait', async () => {
    const turnstile = createTurnstile(1);
    const order: string[] = [];
    void turnstile();
    const early = Promise.all([turnstile(), turnstile()]).then(() => order.push('early'));
    await nextTurn();
    const late = Promise.resolve(turnstile()).then(() => order.push('late'));
    await Promise.all([early, late]);
    expect(order).toEqual(['early', 'late']);
  });
});
