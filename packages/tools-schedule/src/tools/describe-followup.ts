import { formatDuration } from '../schedule/duration.js';
import type { Followup } from '../schedule/followup.js';
import { runsLeft } from '../schedule/followup-steps.js';
import { formatMoment } from '../schedule/moment.js';

/** A followup as tools show it to a model: when, how often, and what went wrong. Times are ISO. */
export function describeFollowup(followup: Followup, now: number): string {
  const { id, dueAt, every, until, failedAt, lastError } = followup;
  if (failedAt !== undefined)
    return `${id}: failed at ${formatMoment(failedAt)}: ${lastError ?? 'no reason known'}`;
  const parts = [`${id}: next at ${formatMoment(dueAt)} (${relative(dueAt - now)})`];
  if (every !== undefined && until !== undefined) {
    parts.push(
      `every ${formatDuration(every)} until ${formatMoment(until)}`,
      `${runsLeft(followup)} to come`,
    );
  }
  if (followup.delivered > 0) parts.push(`${followup.delivered} done`);
  if (lastError !== undefined) parts.push(`last attempt failed: ${lastError}`);
  return parts.join(', ');
}

/** The same as data, for hosts and tests. Times are milliseconds since the epoch. */
export function followupData(followup: Followup): Record<string, unknown> {
  const { id, prompt, createdAt, dueAt, every, until, delivered, lastError, failedAt } = followup;
  return { id, prompt, createdAt, dueAt, every, until, delivered, lastError, failedAt };
}

function relative(ms: number): string {
  return ms > 0 ? `in ${formatDuration(ms)}` : 'now';
}
