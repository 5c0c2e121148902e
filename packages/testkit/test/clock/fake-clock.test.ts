import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../src/clock/fake-clock.js';

describe('createFakeClock', () => {
  it('stands still until it is moved', async () => {
    const clock = createFakeClock(1000);
    expect(clock.now()).toBe(1000);
    await clock.advance(250);
    expect(clock.now()).toBe(1250);
  });

  it('fires what falls due, in order, each at its own time, those of one moment as they were set', async () => {
    const clock = createFakeClock(0);
    const fired: string[] = [];
    const set = (ms: number, name: string): unknown =>
      clock.setTimer(ms, () => fired.push(`${name} at ${clock.now()}`));
    set(30, 'c');
    set(10, 'a');
    set(30, 'd');
    set(20, 'b');
    set(31, 'late');
    await clock.advance(30);
    expect(fired).toEqual(['a at 10', 'b at 20', 'c at 30', 'd at 30']);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);
    expect(fired.at(-1)).toBe('late at 31');
    expect(clock.pending()).toBe(0);
  });

  it('does not fire what was cancelled, before or on the way', async () => {
    const clock = createFakeClock();
    const fired: string[] = [];
    clock.setTimer(1, () => fired.push('never'))();
    const cancel = clock.setTimer(20, () => fired.push('never'));
    clock.setTimer(10, cancel);
    await clock.advance(100);
    expect(fired).toEqual([]);
  });

  it('fires timers that were set on the way, by a timer and by what awaited it', async () => {
    const clock = createFakeClock(0);
    const wait = (ms: number): Promise<void> => new Promise((resolve) => clock.setTimer(ms, resolve));
    const times: number[] = [];
    const loop = (async () => {
      for (let turn = 0; turn < 3; turn++) {
        await wait(10);
        await Promise.resolve().then(() => undefined);
        times.push(clock.now());
      }
    })();
    await clock.advance(30);
    await loop;
    expect(times).toEqual([10, 20, 30]);
  });

  it('makes two moves at once one after the other', async () => {
    const clock = createFakeClock(0);
    const fired: number[] = [];
    for (const ms of [5, 15]) clock.setTimer(ms, () => fired.push(clock.now()));
    await Promise.all([clock.advance(10), clock.advance(10)]);
    expect(fired).toEqual([5, 15]);
    expect(clock.now()).toBe(20);
  });

  it('rejects with what a timer throws and goes on working', async () => {
    const clock = createFakeClock(0);
    clock.setTimer(1, () => {
      throw new Error('broken timer');
    });
    await expect(clock.advance(5)).rejects.toThrow('broken timer');
    await clock.advance(5);
    expect(clock.pending()).toBe(0);
  });

  it('gives up on a timer that sets itself for ever', async () => {
    const clock = createFakeClock(0);
    const again = (): void => void clock.setTimer(0, again);
    again();
    await expect(clock.advance(1)).rejects.toThrow('10000 timers fired within 1 ms');
  });

  it('refuses times that make no sense', () => {
    const clock = createFakeClock();
    expect(() => clock.setTimer(Number.NaN, () => undefined)).toThrow(RangeError);
    expect(() => clock.advance(-1)).toThrow('The clock cannot move by -1 ms');
  });
});
