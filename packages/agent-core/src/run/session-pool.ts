import { AgentError } from '../contracts/index.js';
import type { Clock, SessionStore } from '../contracts/index.js';
import { foldEntries } from '../session/fold.js';
import { migrateSession } from '../session/migrate.js';
import { emptySession } from '../session/state.js';
import type { SessionState } from '../session/state.js';
import type { LiveSession } from './live-session.js';

/** A session that neither runs nor is asked for leaves memory after this long. */
const IDLE_MS = 60_000;

export interface SessionPool {
  /** The one live copy of a session, recovered if it had to be read; `undefined` when the store has none. */
  open(id: string): Promise<LiveSession | undefined>;
  /** Makes the live copy of a session that was just created. */
  adopt(state: SessionState): Promise<LiveSession>;
  /** Throws the live copy away, if it is still this one; the next `open` reads the store. */
  drop(live: LiveSession): void;
  /** Starts the clock after which an idle session leaves memory. */
  rest(id: string): void;
  readonly live: readonly LiveSession[];
  /** Resolves when none of those asked for so far is still being read. */
  loaded(): Promise<void>;
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

  function hold(live: LiveSession): LiveSession {
    const { id } = live.journal.head;
    sessions.set(id, { live, stopTimer: () => undefined });
    rest(id);
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
    const state = foldEntries(emptySession(header), entries);
    if (state.seq !== header.seq) {
      throw new AgentError(
        'corrupt_journal',
        `The session ${id} is said to have ${header.seq} entries, and ${state.seq} are stored: it cannot go on. Delete it, or restore what is missing.`,
      );
    }
    const live = makeLive(state);
    await live.recover();
    return hold(live);
  }

  async function open(id: string): Promise<LiveSession | undefined> {
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
  }

  return {
    async adopt(state) {
      // Who saw the new session in a list may have opened it already.
      const opened = sessions.has(state.id) || loading.has(state.id) ? await open(state.id) : undefined;
      return opened ?? hold(makeLive(state));
    },
    rest,
    open,
    async loaded() {
      await Promise.allSettled(loading.values());
    },
    drop(live) {
      live.release();
      const { id } = live.journal.head;
      const held = sessions.get(id);
      if (held?.live !== live) return;
      held.stopTimer();
      sessions.delete(id);
    },
    get live() {
      return [...sessions.values()].map(({ live }) => live);
    },
  };
}
