import type { Entry, Logger, SessionStore } from '../contracts/index.js';

/** The same store; `onEntries` hears of each append once it is durable. What it throws goes to the log. */
export function observedStore(
  store: SessionStore,
  logger: Logger,
  onEntries: (sessionId: string, entries: readonly Entry[]) => void,
): SessionStore {
  return {
    create: (header) => store.create(header),
    async append(id, after, entries, header) {
      await store.append(id, after, entries, header);
      try {
        onEntries(id, entries);
      } catch (error) {
        logger.error(`onEntries failed for session ${id}: ${String(error)}`);
      }
    },
    load: (id) => store.load(id),
    read: (id, range) => store.read(id, range),
    list: (query) => store.list(query),
    delete: (id) => store.delete(id),
  };
}
