import type { Followup } from '@harperfast/agent-core/contracts';
import type { ScheduleLimits } from './limits.js';

/** Whether it has come to its end, one way or another: nothing of it is due any more, it only waits to be seen. */
export function isSettled({ state }: Pick<Followup, 'state'>): boolean {
  return state !== 'pending' && state !== 'firing';
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
  if (isSettled(followup)) return 0;
  return 1 + (followup.until === undefined ? 0 : dueTimesPassed(followup, followup.until));
}

/** Whether its latest due time is so long ago that it is not made up for. One whose delivery had begun is not asked. */
export function isMissed(followup: Followup, now: number, { graceSeconds }: ScheduleLimits): boolean {
  if (followup.state !== 'pending') return false;
  const latest = followup.dueAt + dueTimesPassed(followup, now) * (followup.every ?? 0);
  return now - latest > graceSeconds * 1000;
}

/**
 * A repetition whose next due time is more than one interval ahead: the clock was set back. Its times, the end included,
 * go back with it, by whole intervals. Anything else comes back as it is.
 */
export function realigned(followup: Followup, now: number): Followup {
  const { every, until, dueAt, state } = followup;
  if (every === undefined || state !== 'pending' || dueAt <= now + every) return followup;
  const shift = Math.ceil((dueAt - now - every) / every) * every;
  return {
    ...followup,
    dueAt: dueAt - shift,
    wakeAt: dueAt - shift,
    ...(until === undefined ? {} : { until: until - shift }),
  };
}
