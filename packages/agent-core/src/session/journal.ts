import type { Entry, EntryDraft, SessionStore } from '../contracts/index.js';
import { deepFreeze } from './deep-freeze.js';
import { applyEntry } from './fold.js';
import { toHeader } from './header.js';
import type { SessionState } from './state.js';

/** The one writer of a session. */
export interface Journal {
  /** The state with every entry appended so far, durable or not. */
  readonly head: SessionState;
  /** The state the store has confirmed: what anyone outside may see. */
  readonly durable: SessionState;
  /** Why the journal can no longer be written, if so. */
  readonly failure: Error | undefined;
  /** Moves `head` at once; resolves when the entries are durable, rejects when they could not be stored. */
  append(...drafts: readonly EntryDraft[]): Promise<void>;
  /**
   * Moves `head` at once, like `append`, but nobody waits for it: it is written together with what is appended next, at
   * the latest after `LINGER_MS`.
   */
  appendSoon(draft: EntryDraft): void;
  /** Resolves when everything appended so far is durable; rejects when some of it could not be stored. */
  flushed(): Promise<void>;
  /** Calls back whenever `durable` moved, and when the journal fails; the returned function stops that. */
  onDurable(listener: () => void): () => void;
}

interface JournalOptions {
  readonly store: SessionStore;
  readonly state: SessionState;
  readonly now: () => number;
}

/** How long what nobody waits for may wait for company: most models answer later, and then it costs no commit of its own. */
const LINGER_MS = 50;

/**
 * A journal over a store. Appends made while one is being written are written together, in order, by the next. After
 * a failed write nothing more is accepted: memory is ahead of the store and has to be thrown away.
 */
export function createJournal({ store, state, now }: JournalOptions): Journal {
  let head = state;
  let durable = state;
  let failure: Error | undefined;
  const listeners = new Set<() => void>();
  let queue: Entry[] = [];
  let nextWrite: Promise<void> | undefined;
  let lastWrite: Promise<void> = Promise.resolve();
  let lingering: NodeJS.Timeout | undefined;

  function scheduleWrite(): Promise<void> {
    const before = lastWrite;
    const write = (async () => {
      await before;
      nextWrite = undefined;
      if (failure !== undefined) throw failure;
      const entries = queue;
      const target = head;
      queue = [];
      try {
        await store.append(target.id, durable.seq, entries, toHeader(target));
        durable = target;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
        throw failure;
      } finally {
        for (const listener of listeners) listener();
      }
    })();
    // Not everyone who appends waits; the failure stays in `failure` for all of them.
    lastWrite = write.catch(() => undefined);
    return write;
  }

  function add(draft: EntryDraft): void {
    const entry: Entry = deepFreeze({ ...draft, seq: head.seq + 1, at: now() });
    head = applyEntry(head, entry);
    queue.push(entry);
  }

  function writeQueued(): void {
    lingering = undefined;
    if (queue.length > 0 && failure === undefined) nextWrite ??= scheduleWrite();
  }

  return {
    get head() {
      return head;
    },
    get durable() {
      return durable;
    },
    get failure() {
      return failure;
    },
    append(...drafts) {
      if (failure !== undefined) {
        const refused = Promise.reject(failure);
        // Not everyone who appends waits, and a rejection that nobody hears would end the host's process.
        refused.catch(() => undefined);
        return refused;
      }
      for (const draft of drafts) add(draft);
      nextWrite ??= scheduleWrite();
      return nextWrite;
    },
    appendSoon(draft) {
      if (failure !== undefined) return;
      add(draft);
      lingering ??= setTimeout(writeQueued, LINGER_MS).unref();
    },
    onDurable(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async flushed() {
      writeQueued();
      await (nextWrite ?? lastWrite);
      if (failure !== undefined) throw failure;
    },
  };
}
