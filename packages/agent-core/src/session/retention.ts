import type { Clock, Logger, SessionStore } from '../contracts/index.js';
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
  readonly remove: (id: string) => Promise<void>;
}): () => void {
  const { store, clock, logger, remove } = parts;
  let stopped = false;
  let stopTimer = clock.setTimer(HOUR_MS, next);

  async function sweep(): Promise<void> {
    const days = parts.days();
    if (days === 0) return;
    for (const id of await expiredSessions(store, clock.now() - days * DAY_MS)) await remove(id);
  }

  function next(): void {
    void sweep()
      .catch((error: unknown) => logger.error(`Old sessions could not be removed: ${String(error)}`))
      .finally(() => {
        if (!stopped) stopTimer = clock.setTimer(HOUR_MS, next);
      });
  }

  return () => {
    stopped = true;
    stopTimer();
  };
}

/** Those last touched before a time. Those at work and those that wait for a decision are not among them. */
async function expiredSessions(store: SessionStore, before: number): Promise<readonly string[]> {
  const expired: string[] = [];
  for await (const header of allHeaders(store)) {
    const active = header.status === 'running' || header.status === 'awaiting_approval';
    if (!active && header.updatedAt < before) expired.push(header.id);
  }
  return expired;
}
