import type { EndEntry, Followup } from '@harperfast/agent-core/contracts';
import { dueTimesPassed, nextDueTime } from './due-times.js';
import type { ScheduleLimits } from './limits.js';
import type { RunPlan } from './plan-run.js';

const DAY = 86_400_000;
/** What is settled stays listed this long. */
const KEEP_SETTLED_MS = 7 * DAY;
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
    state: 'pending',
    slot: 1,
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
  const latest = followup.state === 'pending' ? atLatest(followup, now) : followup;
  return {
    ...latest,
    revision: followup.revision + 1,
    state: 'firing',
    attempts: followup.attempts + 1,
    wakeAt: now + 3 * limits.deliveryMs,
  };
}

/** The followup after its delivery was taken. */
export function delivered(followup: Followup, now: number): Followup {
  const { lastError: _cleared, ...rest } = followup;
  const taken = {
    ...rest,
    attempts: 0,
    givenUp: 0,
    missed: 0,
    delivered: followup.delivered + 1,
    // There already when the process ended in between, and the end of that run was heard of first.
    lastRun: knownRun(followup) ?? { slot: followup.slot, at: now },
  };
  return onward(taken) ?? settled(taken, 'done', now);
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
  const failed = { ...followup, lastError };
  if (followup.attempts < limits.attempts) {
    const wakeAt = now + 1000 * 4 ** (followup.attempts - 1);
    return { ...failed, revision: followup.revision + 1, wakeAt };
  }
  const givenUp = { ...failed, attempts: 0, givenUp: followup.givenUp + 1, missed: followup.missed + 1 };
  const next = givenUp.givenUp < MOST_GIVEN_UP ? onward(givenUp) : undefined;
  return next ?? settled(givenUp, 'failed', now);
}

/** The followup when its latest due time came too long ago: a repetition goes on with its next one. */
export function passedOver(followup: Followup, now: number): Followup {
  const latest = atLatest(followup, now);
  const passed = { ...latest, missed: latest.missed + 1 };
  return onward(passed) ?? settled(passed, 'missed', now);
}

/** The followup once nobody wants it any more. */
export function cancelled(followup: Followup, now: number): Followup {
  return settled(followup, 'cancelled', now);
}

/** The followup when it has to wait for an operator; what comes after its last due time and the grace is missed. */
export function paused(
  followup: Followup,
  why: NonNullable<Followup['paused']>,
  limits: ScheduleLimits,
): Followup {
  return {
    ...followup,
    revision: followup.revision + 1,
    state: 'pending',
    attempts: 0,
    paused: why,
    wakeAt: (followup.until ?? followup.dueAt) + limits.graceSeconds * 1000 + 1,
  };
}

/** The followup once an operator has prompted its session. */
export function resumed(followup: Followup): Followup {
  const { paused: _over, ...rest } = followup;
  return { ...rest, revision: followup.revision + 1, wakeAt: followup.dueAt };
}

/** The followup with the end of the run that its prompt for this due time belongs to. */
export function withRunEnd(followup: Followup, slot: number, { at, reason, error }: EndEntry): Followup {
  const taken = followup.lastRun?.slot === slot ? followup.lastRun.at : at;
  const lastRun = { slot, at: taken, reason, ...(error === undefined ? {} : { error: error.message }) };
  return { ...followup, revision: followup.revision + 1, lastRun };
}

/** The due time whose prompt the session has, or may have, without an end of its run that is known. */
export function openSlot(followup: Followup): number | undefined {
  if (followup.state === 'firing') return knownRun(followup) === undefined ? followup.slot : undefined;
  const { lastRun } = followup;
  return lastRun?.reason === undefined ? lastRun?.slot : undefined;
}

function knownRun({ lastRun, slot }: Followup): Followup['lastRun'] {
  return lastRun?.slot === slot ? lastRun : undefined;
}

/** At the latest of its due times that have come; those before it are counted as missed. */
function atLatest(followup: Followup, now: number): Followup {
  const passed = dueTimesPassed(followup, now);
  return {
    ...followup,
    dueAt: followup.dueAt + passed * (followup.every ?? 0),
    slot: followup.slot + passed,
    missed: followup.missed + passed,
  };
}

/** At its next due time, if there is one. */
function onward(followup: Followup): Followup | undefined {
  const dueAt = nextDueTime(followup);
  if (dueAt === undefined) return undefined;
  const { paused: _over, ...rest } = followup;
  return {
    ...rest,
    revision: followup.revision + 1,
    state: 'pending',
    dueAt,
    slot: followup.slot + 1,
    wakeAt: dueAt,
  };
}

function settled(followup: Followup, state: Followup['state'], now: number): Followup {
  const { paused: _over, ...rest } = followup;
  return { ...rest, revision: followup.revision + 1, state, settledAt: now, wakeAt: now + KEEP_SETTLED_MS };
}
