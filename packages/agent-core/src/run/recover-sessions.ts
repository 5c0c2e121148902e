import type { Logger, SessionStore } from '../contracts/index.js';
import { allHeaders } from '../session/all-headers.js';
import type { LiveSession } from './live-session.js';
import { isUnreadable } from './reread.js';

/** How many sessions an earlier process left in the middle of a run, by what became of them. */
export interface Recovery {
  readonly interrupted: number;
  readonly resumed: number;
}

/** Settles every session that an earlier process left at work or waiting. One that cannot be read is logged. */
export async function recoverSessions(parts: {
  readonly store: SessionStore;
  /** Reads a session into memory, which recovers it. */
  readonly find: (id: string) => Promise<LiveSession>;
  /** Tries a session again later. */
  readonly readAgain: (id: string) => void;
  readonly logger: Logger;
}): Promise<Recovery> {
  const { store, find, readAgain, logger } = parts;
  const found = { interrupted: 0, resumed: 0 };
  for (const status of ['running', 'awaiting_approval'] as const) {
    const ids: string[] = [];
    for await (const header of allHeaders(store, { status })) ids.push(header.id);
    for (const id of ids) {
      try {
        const { recovered } = await find(id);
        if (recovered !== 'untouched') found[recovered]++;
      } catch (error) {
        // One session that cannot be read must not keep the others from going on.
        logger.error(`The session ${id} could not be recovered: ${String(error)}`);
        if (!isUnreadable(error)) readAgain(id);
      }
    }
  }
  return found;
}
