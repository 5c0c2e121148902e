import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { Followup } from '@harperfast/agent-core/contracts';
import { isSettled, runsLeft } from '../../src/schedule/due-times.js';
import { claimed, delivered, newFollowup, undelivered } from '../../src/schedule/followup-steps.js';
import { DEFAULT_SCHEDULE_LIMITS as LIMITS } from '../../src/schedule/limits.js';

const START = 1_000_000;
const EVERY = 60_000;

const repeating = (until = START + 10 * EVERY) =>
  newFollowup({ id: 'f', sessionId: 's', prompt: 'p' }, { dueAt: START + EVERY, every: EVERY, until }, START);
const once = () => newFollowup({ id: 'f', sessionId: 's', prompt: 'p' }, { dueAt: START + EVERY }, START);

describe('claimed', () => {
  it('collapses due times that passed into the latest one and counts them', () => {
    expect(claimed(repeating(), START + 4 * EVERY + 1, LIMITS)).toMatchObject({
      dueAt: START + 4 * EVERY,
      missed: 3,
    });
  });

  it('goes no further than the end', () => {
    expect(claimed(repeating(), START + 1000 * EVERY, LIMITS)).toMatchObject({
      dueAt: START + 10 * EVERY,
      missed: 9,
    });
  });

  it('keeps the due time of an attempt that is repeated', () => {
    const first = claimed(repeating(), START + EVERY, LIMITS);
    expect(claimed(first, START + 5 * EVERY, LIMITS)).toMatchObject({
      dueAt: START + EVERY,
      missed: 0,
      attempts: 2,
    });
  });
});

describe('delivered', () => {
  it('ends what runs once', () => {
    expect(delivered(claimed(once(), START + EVERY, LIMITS), START + EVERY)).toMatchObject({
      state: 'done',
      settledAt: START + EVERY,
    });
  });

  it('ends a repetition with the run at its end', () => {
    expect(delivered(claimed(repeating(), START + 10 * EVERY, LIMITS), START)).toMatchObject({
      state: 'done',
      slot: 10,
    });
  });

  it('never drifts: due times stay on the grid, whenever deliveries take place', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 * EVERY }), { maxLength: 30 }), (waits) => {
        let followup = repeating(START + 50 * EVERY);
        let now = START;
        let [runs, missed] = [0, 0];
        const seen = new Set<number>();
        for (const wait of waits) {
          now += wait;
          if (isSettled(followup) || followup.wakeAt > now) continue;
          const claim: Followup = claimed(followup, now, LIMITS);
          expect(claim.dueAt).toBeLessThanOrEqual(now);
          expect((claim.dueAt - START) % EVERY).toBe(0);
          expect(claim.slot).toBe((claim.dueAt - START) / EVERY);
          expect(seen.has(claim.dueAt)).toBe(false);
          seen.add(claim.dueAt);
          runs += 1;
          missed += claim.missed;
          followup = delivered(claim, now);
          // Every due time so far was run, or is counted as missed.
          expect(runs + missed).toBe((claim.dueAt - START) / EVERY);
        }
      }),
    );
  });
});

describe('undelivered', () => {
  const exhaust = (followup: Followup, now: number) =>
    undelivered({ ...followup, attempts: LIMITS.attempts }, 'no', now, LIMITS);

  it('waits longer before each attempt', () => {
    const waits = [1, 2, 3, 4].map((attempts) => {
      const after = undelivered({ ...once(), attempts }, 'no', START, LIMITS);
      expect(after).toMatchObject({ lastError: 'no', dueAt: START + EVERY });
      expect(isSettled(after)).toBe(false);
      return after.wakeAt - START;
    });
    expect(waits).toEqual([1000, 4000, 16_000, 64_000]);
  });

  it('fails for good what runs once', () => {
    expect(exhaust(once(), START)).toMatchObject({
      state: 'failed',
      settledAt: START,
      lastError: 'no',
    });
  });

  it('lets a repetition go on with its next due time, which then stands for the lost one', () => {
    const after = exhaust(repeating(), START + EVERY);
    expect(after).toMatchObject({ dueAt: START + 2 * EVERY, missed: 1, attempts: 0, givenUp: 1 });
    expect(after).toMatchObject({ state: 'pending', slot: 2 });
  });

  it('fails a repetition for good after three due times in a row', () => {
    const third = exhaust(exhaust(exhaust(repeating(), START), START), START);
    expect(third).toMatchObject({ state: 'failed', settledAt: START });
    expect(runsLeft(third)).toBe(0);
  });
});

describe('runsLeft', () => {
  it('counts the next run and those after it', () => {
    expect(runsLeft(once())).toBe(1);
    expect(runsLeft(repeating())).toBe(10);
  });
});
