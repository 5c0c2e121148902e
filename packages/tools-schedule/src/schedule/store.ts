import type { Followup, FollowupStore } from '@harperfast/agent-core/contracts';

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
