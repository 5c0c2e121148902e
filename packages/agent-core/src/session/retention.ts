import type { SessionStore } from '../contracts/index.js';
import { allHeaders } from './all-headers.js';

const DAY_MS = 86_400_000;

/** The sessions nobody touched for `days` days. Those at work and those that wait for a decision are not among them. */
export async function expiredSessions(
  store: SessionStore,
  now: number,
  days: number,
): Promise<readonly string[]> {
  const expired: string[] = [];
  for await (const header of allHeaders(store)) {
    const active = header.status === 'running' || header.status === 'awaiting_approval';
    if (!active && header.updatedAt < now - days * DAY_MS) expired.push(header.id);
  }
  return expired;
}
