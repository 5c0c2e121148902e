import { ConflictError } from '@harperfast/agent-core/contracts';
import type { Followup, FollowupStore } from '@harperfast/agent-core/contracts';
import { isSettled } from './due-times.js';

/** The followups in memory, kept in step with the store: every change is stored before it shows. */
export interface FollowupBook {
  load(): Promise<void>;
  /** All that are stored, in no particular order. */
  all(): readonly Followup[];
  get(id: string): Followup | undefined;
  ofSession(sessionId: string): Followup[];
  /** How many are still to come, those on their way into the store included; of one session or of all. */
  count(sessionId?: string): number;
  /** Stores a new one. Rejects with `ConflictError` when its id is taken or its session ended meanwhile. */
  add(followup: Followup): Promise<void>;
  /**
   * Puts `next` in the place of what the caller has `seen`. Resolves with false, and the book is right again, when it
   * was removed or another scheduler has changed it since.
   */
  replace(seen: Followup, next: Followup): Promise<boolean>;
  /** Removes it at once here, then from the store. */
  remove(id: string): Promise<void>;
  /** Removes all of a session's, those on their way into the store included. */
  removeSession(sessionId: string): Promise<void>;
  /** Of a session, those on their way into the store never get there. */
  refuseUnsaved(sessionId: string): void;
  /** Shows it with other times; stored with its next change, if at all. */
  retime(id: string, times: Partial<Pick<Followup, 'wakeAt' | 'dueAt' | 'until'>>): void;
}

export function createFollowupBook(store: FollowupStore): FollowupBook {
  const known = new Map<string, Followup>();
  /** Ids that are being written for the first time: counted, but not there yet. */
  const unsaved = new Set<string>();

  const all = () => [...known.values()].filter(({ id }) => !unsaved.has(id));

  async function remove(id: string): Promise<void> {
    known.delete(id);
    await store.delete(id);
  }

  async function reload(id: string): Promise<void> {
    const row = (await store.list()).find((stored) => stored.id === id);
    if (row !== undefined && known.has(id)) known.set(id, row);
    else known.delete(id);
  }

  return {
    remove,
    async load() {
      for (const followup of await store.list()) known.set(followup.id, followup);
    },
    async removeSession(sessionId) {
      const own = [...known.values()].filter((followup) => followup.sessionId === sessionId);
      await Promise.all(own.map(({ id }) => remove(id)));
    },
    refuseUnsaved(sessionId) {
      for (const id of unsaved) if (known.get(id)?.sessionId === sessionId) known.delete(id);
    },
    all,
    ofSession: (sessionId) => all().filter((followup) => followup.sessionId === sessionId),
    get: (id) => (unsaved.has(id) ? undefined : known.get(id)),
    count(sessionId) {
      const live = [...known.values()].filter((followup) => !isSettled(followup));
      if (sessionId === undefined) return live.length;
      return live.filter((followup) => followup.sessionId === sessionId).length;
    },

    async add(followup) {
      const { id } = followup;
      const taken = () => new ConflictError(`The followup id ${id} is taken: try again`);
      if (known.has(id)) throw taken();
      known.set(id, followup);
      unsaved.add(id);
      try {
        if (!(await store.write(followup, 0))) throw taken();
      } catch (error) {
        known.delete(id);
        throw error;
      } finally {
        unsaved.delete(id);
      }
      if (!known.has(id)) {
        await store.delete(id);
        throw new ConflictError(`The session ended while its followup ${id} was being stored`);
      }
    },

    async replace(seen, next) {
      if (!(await store.write(next, seen.revision))) {
        await reload(seen.id);
        return false;
      }
      if (known.get(seen.id) !== seen) {
        // Removed while this was written: the write may have come after the removal.
        await store.delete(seen.id);
        return false;
      }
      known.set(next.id, next);
      return true;
    },

    retime(id, times) {
      const followup = known.get(id);
      if (followup !== undefined) known.set(id, { ...followup, ...times });
    },
  };
}
