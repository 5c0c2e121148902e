import type { Clock, Logger, SessionHeader, SessionStore } from '../contracts/index.js';
import { allHeaders } from './all-headers.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Removes, once an hour, the sessions nobody touched for `days` days; 0 keeps them all. The returned function stops
 * that.
 */
export function sweepHourly(parts: {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly days: () => number;
  /** Removes the session unless it was touched since that time, or is active. */
  readonly removeExpired: (id: string, before: number) => Promise<void>;
}): () => void {
  const { store, clock, logger, removeExpired } = parts;
  let stopped = false;
  let stopTimer = clock.setTimer(HOUR_MS, next);

  async function sweep(): Promise<void> {
    const days = parts.days();
    if (days === 0) return;
    const before = clock.now() - days * DAY_MS;
    for (const id of await expiredSessions(store, before)) {
      if (stopped) return;
      // One that cannot be removed must not keep the others.
      await removeExpired(id, before).catch((error: unknown) =>
        logger.error(`The old session ${id} could not be removed: ${String(error)}`),
      );
    }
  }

  function next(): void {
    void sweep()
      .catch((error: unknown) => logger.error(`Old sessions could not be listed: ${String(error)}`))
      .finally(() => {
        if (!stopped) stopTimer = clock.setTimer(HOUR_MS, next);
      });
  }

  return () => {
    stopped = true;
    stopTimer();
  };
}

/** Whether a session was last touched before a time. One at work, or that waits for a decision, never was. */
export function isExpired(
  { status, updatedAt }: Pick<SessionHeader, 'status' | 'updatedAt'>,
  before: number,
): boolean {
  return status !== 'running' && status !== 'awaiting_approval' && updatedAt < before;
}

async function expiredSessions(store: SessionStore, before: number): Promise<readonly string[]> {
  const expired: string[] = [];
  for await (const header of allHeaders(store)) {
    if (isExpired(header, before)) expired.push(header.id);
  }
  return expired;
}
