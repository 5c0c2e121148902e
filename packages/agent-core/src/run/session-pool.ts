import type { Clock, SessionStore } from '../contracts/index.js';
import { foldEntries } from '../session/fold.js';
import { migrateSession } from '../session/migrate.js';
import { emptySession } from '../session/state.js';
import type { SessionState } from '../session/state.js';
import type { LiveSession } from './live-session.js';

/** A session that neither runs nor is asked for leaves memory after this long. */
const IDLE_MS = 60_000;

export interface SessionPool {
  /** The one live copy of a session; `undefined` when the store has none. */
  open(id: string): Promise<LiveSession | undefined>;
  /** Makes the live copy of a session that was just created. */
  adopt(state: SessionState): LiveSession;
  /** Throws the live copy away; the next `open` reads the store. */
  drop(id: string): void;
  /** Starts the clock after which an idle session leaves memory. */
  rest(id: string): void;
  readonly live: readonly LiveSession[];
}

/** Keeps each session in memory once at most, while it is in use. */
export function createSessionPool(parts: {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly makeLive: (state: SessionState) => LiveSession;
}): SessionPool {
  const { store, clock, makeLive } = parts;
  const sessions = new Map<string, { readonly live: LiveSession; stopTimer: () => void }>();
  const loading = new Map<string, Promise<LiveSession | undefined>>();

  function adopt(state: SessionState): LiveSession {
    const live = makeLive(state);
    sessions.set(state.id, { live, stopTimer: () => undefined });
    rest(state.id);
    return live;
  }

  function rest(id: string): void {
    const held = sessions.get(id);
    if (held === undefined) return;
    held.stopTimer();
    held.stopTimer = clock.setTimer(IDLE_MS, () => {
      if (held.live.busy) rest(id);
      else if (sessions.get(id) === held) sessions.delete(id);
    });
  }

  async function load(id: string): Promise<LiveSession | undefined> {
    const stored = await store.load(id);
    if (stored === undefined) return undefined;
    const { header, entries } = migrateSession(stored);
    return adopt(foldEntries(emptySession(header), entries));
  }

  return {
    adopt,
    rest,
    async open(id) {
      const held = sessions.get(id);
      if (held !== undefined) {
        rest(id);
        return held.live;
      }
      // Two requests at once must not fold two copies.
      let work = loading.get(id);
      if (work === undefined) {
        work = load(id).finally(() => loading.delete(id));
        loading.set(id, work);
      }
      return work;
    },
    drop(id) {
      const held = sessions.get(id);
      held?.stopTimer();
      held?.live.release();
      sessions.delete(id);
    },
    get live() {
      return [...sessions.values()].map(({ live }) => live);
    },
  };
}
