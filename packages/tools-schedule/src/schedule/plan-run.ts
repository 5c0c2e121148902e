import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import { formatDuration, parseDuration } from './duration.js';
import type { ScheduleLimits } from './limits.js';
import { formatMoment, looksLikeMoment, parseMoment } from './moment.js';

/** When to run, as it was asked for: exactly one of `in`, `at` and `every`; `times` or `until` only with `every`. */
export interface RunRequest {
  readonly in?: string | undefined;
  readonly at?: string | undefined;
  readonly every?: string | undefined;
  readonly times?: number | undefined;
  readonly until?: string | undefined;
}

/** When to run, in milliseconds since the epoch and, for `every`, milliseconds. */
export interface RunPlan {
  readonly dueAt: number;
  readonly every?: number;
  /** No run is due after it; always there with `every`. */
  readonly until?: number;
}

/**
 * Settles a request against the present time and the limits. Absolute times are what is stored, so a restart does
 * not push anything back. `times` becomes an end: a run that was missed counts. Throws `InvalidRequestError` that says
 * which fields conflict or which bound is broken.
 */
export function planRun(request: RunRequest, now: number, limits: ScheduleLimits): RunPlan {
  checkFields(request);
  if (request.in !== undefined) {
    return { dueAt: now + bounded(parseDuration(request.in, 'in'), 'in', request.in, limits) };
  }
  if (request.at !== undefined) {
    const at = parseMoment(request.at, 'at', now);
    if (at < now + limits.minDelayMs) {
      throw new InvalidRequestError(
        `at is ${request.at}, but it is ${formatMoment(now)} now: the earliest possible time is ${formatDuration(limits.minDelayMs)} from now`,
      );
    }
    return { dueAt: withinHorizon(at, 'at', request.at, now, limits) };
  }
  const text = request.every ?? '';
  const every = bounded(parseDuration(text, 'every'), 'every', text, limits);
  return { dueAt: now + every, every, until: endOf(request, every, now, limits) };
}

function checkFields({ in: delay, at, every, times, until }: RunRequest): void {
  const given = Object.entries({ in: delay, at, every }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const names = given.map(([name]) => name).join(' and ');
    throw new InvalidRequestError(
      given.length === 0
        ? 'Say when: give one of in, at and every'
        : `${names} exclude each other: give exactly one of in, at and every`,
    );
  }
  if (every === undefined && (times !== undefined || until !== undefined)) {
    throw new InvalidRequestError(
      `${times === undefined ? 'until' : 'times'} only goes with every: use every, or leave it out`,
    );
  }
  if (times !== undefined && until !== undefined) {
    throw new InvalidRequestError('times and until exclude each other: give one of them');
  }
}

function endOf({ times, until }: RunRequest, every: number, now: number, limits: ScheduleLimits): number {
  if (times !== undefined) {
    if (!Number.isInteger(times) || times < 1) {
      throw new InvalidRequestError(`times is ${times}: it has to be a whole number from 1`);
    }
    return withinHorizon(now + every * times, 'times', String(times), now, limits);
  }
  if (until === undefined) return now + limits.maxDelayMs;
  const end = looksLikeMoment(until) ? parseMoment(until, 'until', now) : now + parseDuration(until, 'until');
  if (end < now + every) {
    throw new InvalidRequestError(
      `until is ${until}, before the first run at ${formatMoment(now + every)} (it is ${formatMoment(now)} now): choose a later end or a shorter interval`,
    );
  }
  return withinHorizon(end, 'until', until, now, limits);
}

function bounded(
  ms: number,
  field: string,
  text: string,
  { minDelayMs, maxDelayMs }: ScheduleLimits,
): number {
  if (ms < minDelayMs || ms > maxDelayMs) {
    throw new InvalidRequestError(
      `${field} is ${text}: it has to be from ${formatDuration(minDelayMs)} to ${formatDuration(maxDelayMs)}`,
    );
  }
  return ms;
}

function withinHorizon(at: number, field: string, text: string, now: number, limits: ScheduleLimits): number {
  if (at > now + limits.maxDelayMs) {
    throw new InvalidRequestError(
      `${field} is ${text}, which reaches past ${formatMoment(now + limits.maxDelayMs)}: nothing is scheduled more than ${formatDuration(limits.maxDelayMs)} ahead`,
    );
  }
  return at;
}
