import { StoreConflictError } from '@harperfast/agent-core';
import type { Entry, SessionHeader, SessionStore } from '@harperfast/agent-core';

/** A memory store without copies, for very many short sessions; `onAppend` hears of every write. */
export function plainStore(
  onAppend: (id: string, entries: readonly Entry[], header: SessionHeader) => void,
): SessionStore {
  const sessions = new Map<string, { header: SessionHeader; readonly entries: Entry[] }>();
  return {
    async create(header) {
      sessions.set(header.id, { header, entries: [] });
    },
    async append(id, after, entries, header) {
      const session = sessions.get(id);
      if (session?.entries.length !== after)
        throw new StoreConflictError(`The session ${id} is not at ${after}`);
      session.entries.push(...entries);
      session.header = header;
      onAppend(id, entries, header);
    },
    load: async (id) => sessions.get(id),
    read: async (id, { after, limit }) => sessions.get(id)?.entries.slice(after, after + limit) ?? [],
    list: async () => ({ items: [] }),
    async delete(id) {
      sessions.delete(id);
    },
  };
}
