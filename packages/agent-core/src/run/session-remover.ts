import { AgentError } from '../contracts/index.js';
import type { SessionStore } from '../contracts/index.js';
import { isExpired } from '../session/retention.js';
import type { RunDeps } from './deps.js';
import { endForProviders } from './end-for-providers.js';
import type { LiveSession } from './live-session.js';
import type { SessionPool } from './session-pool.js';

export interface RemoveOptions {
  readonly deps: RunDeps;
  readonly store: SessionStore;
  readonly pool: SessionPool;
  readonly find: (sessionId: string) => Promise<LiveSession>;
  /** Reads a session anew that is still in the store. */
  readonly readAgain: (sessionId: string) => void;
}

/** Takes sessions out of the store and of all that keeps something for them. */
export interface SessionRemover {
  /** Ends the session and deletes it. Rejects with `NotFoundError`, or as the store does; then it is as it was. */
  remove(sessionId: string): Promise<void>;
  /** The same for a session that nothing has happened to since `before`, in milliseconds; another one stays. */
  removeExpired(sessionId: string, before: number): Promise<void>;
}

export function createSessionRemover({ deps, store, pool, find, readAgain }: RemoveOptions): SessionRemover {
  /** A session whose journal is damaged can do nothing but go. */
  function findToRemove(sessionId: string): Promise<LiveSession | undefined> {
    return find(sessionId).catch((error: unknown) => {
      if (AgentError.isInstance(error) && error.code === 'corrupt_journal') return undefined;
      throw error;
    });
  }

  async function remove(sessionId: string, live: LiveSession | undefined): Promise<void> {
    // From here on it takes no prompt and no decision: an answer of 200 would be for nothing.
    await live?.stop();
    try {
      await store.delete(sessionId);
    } catch (error) {
      // It is still there, stopped in the middle of whatever it was at.
      readAgain(sessionId);
      throw error;
    } finally {
      // Not before: whoever asks meanwhile must not read it from the store again.
      if (live !== undefined) pool.drop(live);
    }
    await endForProviders(deps, sessionId, 'deleted');
  }

  return {
    remove: async (sessionId) => remove(sessionId, await findToRemove(sessionId)),
    async removeExpired(sessionId, before) {
      const live = await findToRemove(sessionId);
      // It may have been prompted since it was listed.
      if (live === undefined || isExpired(live.journal.head, before)) await remove(sessionId, live);
    },
  };
}
