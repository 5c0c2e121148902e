import type { Followup } from './followup.js';
import type { ScheduleLimits } from './limits.js';
import type { RunPlan } from './plan-run.js';

const DAY = 86_400_000;
/** A failed followup stays listed this long. */
const KEEP_FAILED_MS = 7 * DAY;
/** A repetition ends after this many due times in a row were given up. */
const MOST_GIVEN_UP = 3;

/** A followup as it is first written. */
export function newFollowup(
  what: { readonly id: string; readonly sessionId: string; readonly prompt: string },
  plan: RunPlan,
  now: number,
): Followup {
  return {
    ...what,
    ...plan,
    revision: 1,
    createdAt: now,
    wakeAt: plan.dueAt,
    missed: 0,
    attempts: 0,
    delivered: 0,
    givenUp: 0,
  };
}

/**
 * The followup with a delivery of `dueAt` begun. Due times that passed meanwhile collapse into the latest one. The
 * claim lapses by itself, so that a process that dies with it loses nothing.
 */
export function claimed(followup: Followup, now: number, limits: ScheduleLimits): Followup {
  const passed = followup.attempts === 0 ? dueTimesPassed(followup, now) : 0;
  return {
    ...followup,
    revision: followup.revision + 1,
    dueAt: followup.dueAt + passed * (followup.every ?? 0),
    missed: followup.missed + passed,
    attempts: followup.attempts + 1,
    wakeAt: now + 3 * limits.deliveryMs,
  };
}

/** The followup after its delivery was taken; `undefined` when that was the last one. */
export function delivered(followup: Followup): Followup | undefined {
  const dueAt = nextDueTime(followup);
  if (dueAt === undefined) return undefined;
  const { lastError: _cleared, ...rest } = followup;
  return {
    ...rest,
    revision: followup.revision + 1,
    dueAt,
    wakeAt: dueAt,
    missed: 0,
    attempts: 0,
    givenUp: 0,
    delivered: followup.delivered + 1,
  };
}

/**
 * The followup after a delivery failed: tried again a little later, each time waiting longer; then a repetition goes
 * on with its next due time, and anything else, or a repetition that fails again and again, has failed for good.
 */
export function undelivered(
  followup: Followup,
  lastError: string,
  now: number,
  limits: ScheduleLimits,
): Followup {
  const failed = { ...followup, revision: followup.revision + 1, lastError };
  if (followup.attempts < limits.attempts) {
    return { ...failed, wakeAt: now + 1000 * 4 ** (followup.attempts - 1) };
  }
  const givenUp = followup.givenUp + 1;
  const dueAt = nextDueTime(followup);
  if (dueAt === undefined || givenUp >= MOST_GIVEN_UP) {
    return { ...failed, givenUp, failedAt: now, wakeAt: now + KEEP_FAILED_MS };
  }
  return { ...failed, givenUp, dueAt, wakeAt: dueAt, missed: followup.missed + 1, attempts: 0 };
}

/** The due time after the present one; `undefined` when there is none. */
export function nextDueTime({ dueAt, every, until }: Followup): number | undefined {
  if (every === undefined) return undefined;
  const next = dueAt + every;
  return until !== undefined && next > until ? undefined : next;
}

/** How many due times lie after `dueAt` and not after `now`. */
export function dueTimesPassed({ dueAt, every, until }: Followup, now: number): number {
  if (every === undefined) return 0;
  return Math.max(0, Math.floor((Math.min(now, until ?? now) - dueAt) / every));
}

/** How many runs are still to come, the next one included. */
export function runsLeft(followup: Followup): number {
  if (followup.failedAt !== undefined) return 0;
  return 1 + (followup.until === undefined ? 0 : dueTimesPassed(followup, followup.until));
}
