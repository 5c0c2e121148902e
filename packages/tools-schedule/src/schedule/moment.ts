import { z } from 'zod';
import { InvalidRequestError } from '@harperfast/agent-core/contracts';

/** With seconds, or to the minute. */
const withOffset = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

/** Whether a text looks like a date rather than a duration. */
export function looksLikeMoment(text: string): boolean {
  return /^\d{4}-\d/.test(text.trim());
}

/**
 * Milliseconds since the epoch of an ISO time with an offset, such as `2026-12-01T09:00:00Z`. Throws
 * `InvalidRequestError` that names `field` and tells the present time: whoever has no clock needs it.
 */
export function parseMoment(text: string, field: string, now: number): number {
  const parsed = withOffset.safeParse(text.trim());
  const at = parsed.success ? Date.parse(parsed.data) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new InvalidRequestError(
      `${field} is ${JSON.stringify(text)}, which is no ISO time with an offset such as "${formatMoment(now)}" (that is now) or "2026-12-01T09:00:00+01:00"`,
    );
  }
  return at;
}

/** An ISO time in UTC, without milliseconds when there are none. */
export function formatMoment(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
