import type { Followup } from './followup.js';

/**
 * Where followups live. Whatever a promise resolved for survives a SIGKILL of the process. Values are plain JSON; what
 * is handed in or out is a copy.
 */
export interface FollowupStore {
  /** All followups, in no particular order. There are at most as many as the scheduler's total limit. */
  list(): Promise<readonly Followup[]>;
  /**
   * Writes the followup when the stored revision of its id is `expected` (0: there is none), atomically over all
   * writers; resolves with false, and has written nothing, when it is not.
   */
  write(followup: Followup, expected: number): Promise<boolean>;
  /** Removes it, whatever its revision; no error when there is none. */
  delete(id: string): Promise<void>;
}

/** A `FollowupStore` in this process's memory: for tests, and where followups may end with the process. */
export function createMemoryFollowupStore(): FollowupStore {
  const rows = new Map<string, Followup>();
  return {
    async list() {
      return structuredClone([...rows.values()]);
    },
    async write(followup, expected) {
      if ((rows.get(followup.id)?.revision ?? 0) !== expected) return false;
      rows.set(followup.id, structuredClone(followup));
      return true;
    },
    async delete(id) {
      rows.delete(id);
    },
  };
}
