import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMissed, realigned } from '../../src/schedule/due-times.js';
import { claimed, newFollowup, passedOver, paused } from '../../src/schedule/followup-steps.js';
import { DEFAULT_SCHEDULE_LIMITS } from '../../src/schedule/limits.js';

const LIMITS = { ...DEFAULT_SCHEDULE_LIMITS, graceSeconds: 600 };
const GRACE = 600_000;
const START = 1_000_000_000;
const EVERY = 60_000;

const what = { id: 'f', sessionId: 's', prompt: 'p' };
const once = () => newFollowup(what, { dueAt: START }, START - EVERY);
const repeating = (every = EVERY, runs = 10) =>
  newFollowup(what, { dueAt: START, every, until: START + (runs - 1) * every }, START - every);

describe('isMissed', () => {
  it('is so after the grace, not within it', () => {
    expect(isMissed(once(), START + GRACE, LIMITS)).toBe(false);
    expect(isMissed(once(), START + GRACE + 1, LIMITS)).toBe(true);
  });

  it('counts from the latest due time of a repetition, the last one included', () => {
    expect(isMissed(repeating(), START + 9 * EVERY + GRACE, LIMITS)).toBe(false);
    expect(isMissed(repeating(), START + 9 * EVERY + GRACE + 1, LIMITS)).toBe(true);
    expect(isMissed(repeating(86_400_000), START + GRACE + 1, LIMITS)).toBe(true);
  });

  it('never holds for one whose delivery had begun: its prompt may be there', () => {
    expect(isMissed(claimed(once(), START, LIMITS), START + 100 * GRACE, LIMITS)).toBe(false);
  });
});

describe('passedOver', () => {
  it('ends what has no further due time, and moves anything else on', () => {
    expect(passedOver(once(), START + 2 * GRACE)).toMatchObject({ state: 'missed', missed: 1 });
    expect(passedOver(repeating(86_400_000), START + 2 * GRACE)).toMatchObject({
      state: 'pending',
      slot: 2,
      missed: 1,
      dueAt: START + 86_400_000,
    });
  });

  it('ends what waited for an operator past its last due time', () => {
    const waiting = paused(repeating(), 'budget', LIMITS);
    expect(isMissed(waiting, waiting.wakeAt, LIMITS)).toBe(true);
    const over = passedOver(waiting, waiting.wakeAt);
    expect(over).toMatchObject({ state: 'missed', missed: 10 });
    expect(over.paused).toBeUndefined();
  });
});

describe('realigned', () => {
  it('leaves what lies within one interval, and what runs once', () => {
    expect(realigned(repeating(), START - EVERY)).toEqual(repeating());
    expect(realigned(once(), 0)).toEqual(once());
  });

  it('brings a repetition within one interval of a clock that was set back, and keeps its grid and its number of runs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: START }), (now) => {
        const followup = realigned(repeating(), now);
        expect(followup.dueAt).toBeLessThanOrEqual(now + EVERY);
        expect(followup.wakeAt).toBe(followup.dueAt);
        expect((START - followup.dueAt) % EVERY).toBe(0);
        expect((followup.until ?? 0) - followup.dueAt).toBe(9 * EVERY);
        expect(followup.dueAt === START).toBe(now >= START - EVERY);
        expect(followup.dueAt).toBeGreaterThanOrEqual(Math.min(now + 1, START));
      }),
    );
  });
});
