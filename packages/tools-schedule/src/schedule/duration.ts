import { InvalidRequestError } from '@harperfast/agent-core/contracts';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;
const PATTERN = /^(?=\d)(?:(\d+)d)?\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+)s)?$/;

/**
 * Milliseconds of a duration such as `90s`, `5m`, `1h30m` or `2d`. Throws `InvalidRequestError` that names `field`
 * for anything else: no sign, no fraction, no bare number.
 */
export function parseDuration(text: string, field: string): number {
  const match = PATTERN.exec(text.trim());
  if (match === null) {
    throw new InvalidRequestError(
      `${field} is ${JSON.stringify(text)}, which is no duration: write whole numbers with units, largest first, such as "90s", "5m", "1h30m" or "2d"`,
    );
  }
  return UNITS.reduce((sum, [, size], index) => sum + Number(match[index + 1] ?? 0) * size, 0);
}

/** A duration in milliseconds as people write it, rounded to seconds: `1h30m`. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === '' ? '0s' : text;
}
