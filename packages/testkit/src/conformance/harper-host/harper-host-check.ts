import type { Check } from '../check.js';
import type { HarperHostBench } from './bench.js';

const DEADLINE_MS = 20_000;

/** One promise of a host. All checks run on the same host, in order; each leaves it running. */
export interface HarperHostCheck extends Omit<Check<HarperHostBench>, 'applies'> {
  /** How long it may take; 20 s if absent. */
  readonly deadlineMs?: number;
}

/** By the name of a check: why this host does not do what it says. */
export type HarperHostDifferences = Readonly<Record<string, string>>;

/** How long a check may take, in ms. */
export function deadlineOf({ deadlineMs = DEADLINE_MS }: HarperHostCheck): number {
  return deadlineMs;
}

/**
 * Runs a check. One that is listed as a difference has to see the host do something else: the promise rejects where
 * it holds after all, so that the list stays true, and where it could not be checked.
 */
export async function runHarperHostCheck(
  check: HarperHostCheck,
  bench: HarperHostBench,
  difference?: string,
): Promise<void> {
  const seen = await inTime(check, bench).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (difference === undefined) {
    if (seen !== undefined) throw seen;
    return;
  }
  if (seen === undefined) {
    throw new Error(
      `This host does: ${check.name}. Take it off the differences, where it says: ${difference}`,
    );
  }
  // Anything else is no finding about the host: a connection that broke, code that could not run.
  if (!(seen instanceof Error && seen.name === 'AssertionError')) throw seen;
}

async function inTime(check: HarperHostCheck, bench: HarperHostBench): Promise<void> {
  const milliseconds = deadlineOf(check);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Not over after ${milliseconds} ms: ${check.name}`)),
      milliseconds,
    );
  });
  try {
    await Promise.race([check.run(bench), late]);
  } finally {
    clearTimeout(timer);
  }
}
