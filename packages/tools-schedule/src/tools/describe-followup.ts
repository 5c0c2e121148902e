import type { Followup } from '@harperfast/agent-core/contracts';
import { isSettled, runsLeft } from '../schedule/due-times.js';
import { formatDuration } from '../schedule/duration.js';
import { formatMoment } from '../schedule/moment.js';

const PAUSED: Readonly<Record<NonNullable<Followup['paused']>, string>> = {
  budget: 'waits for the next prompt of an operator: the budget of the session was used up',
  unattended: 'waits for the next prompt of an operator: too many runs without one',
};

/** A followup as tools show it to a model: when, how often, what came of it. Times are ISO. */
export function describeFollowup(followup: Followup, now: number): string {
  const { id, state, dueAt, every, until, settledAt, paused, delivered, missed, lastError } = followup;
  const parts = isSettled(followup)
    ? [`${id}: ${state} at ${formatMoment(settledAt ?? dueAt)}`]
    : [`${id}: next at ${formatMoment(dueAt)} (${relative(dueAt - now)})`];
  if (every !== undefined && until !== undefined && !isSettled(followup)) {
    parts.push(
      `every ${formatDuration(every)} until ${formatMoment(until)}`,
      `${runsLeft(followup)} to come`,
    );
  }
  if (paused !== undefined) parts.push(PAUSED[paused]);
  if (delivered > 0) parts.push(`${delivered} done`);
  if (missed > 0) parts.push(`${missed} missed`);
  if (lastError !== undefined) parts.push(`last attempt failed: ${lastError}`);
  return [...parts, ...lastRunOf(followup)].join(', ');
}

/** The same as data, for hosts and tests. Times are milliseconds since the epoch. */
export function followupData(followup: Followup): Record<string, unknown> {
  const { id, prompt, createdAt, state, dueAt, every, until, delivered, missed } = followup;
  const { paused, lastError, lastRun, settledAt } = followup;
  return {
    id,
    prompt,
    createdAt,
    state,
    dueAt,
    every,
    until,
    delivered,
    missed,
    paused,
    lastError,
    lastRun,
    settledAt,
  };
}

/** Of a run that was answered there is nothing to say. */
function lastRunOf({ lastRun }: Followup): readonly string[] {
  if (lastRun?.reason === undefined || lastRun.reason === 'answered') return [];
  const why = lastRun.error === undefined ? '' : `: ${lastRun.error}`;
  return [`the run of ${formatMoment(lastRun.at)} ended with ${lastRun.reason}${why}`];
}

function relative(ms: number): string {
  return ms > 0 ? `in ${formatDuration(ms)}` : 'now';
}
