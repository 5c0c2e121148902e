import { NotFoundError, StoreConflictError } from '../contracts/index.js';
import type { Entry, SessionHeader, SessionStore } from '../contracts/index.js';

interface StoredSession {
  header: SessionHeader;
  readonly entries: Entry[];
}

/** A `SessionStore` in this process's memory, for tests and for hosts without a database. Values are copied in and out. */
export function createMemoryStore(): SessionStore {
  const sessions = new Map<string, StoredSession>();

  return {
    async create(header) {
      if (sessions.has(header.id)) throw new StoreConflictError(`The session ${header.id} exists already`);
      sessions.set(header.id, { header: structuredClone(header), entries: [] });
    },

    async append(id, after, entries, header) {
      const session = sessions.get(id);
      if (session === undefined) throw new NotFoundError(`There is no session ${id} to append to`);
      const last = session.entries.length;
      if (last !== after) {
        throw new StoreConflictError(`The session ${id} is at entry ${last}, not at ${after}: load it again`);
      }
      // Copied together first: what cannot be copied leaves nothing behind.
      const copy = structuredClone({ entries, header });
      session.entries.push(...copy.entries);
      session.header = copy.header;
    },

    async load(id) {
      const session = sessions.get(id);
      return session === undefined
        ? undefined
        : structuredClone({ header: session.header, entries: session.entries });
    },

    async read(id, { after, limit }) {
      return structuredClone(sessions.get(id)?.entries.slice(after, after + limit) ?? []);
    },

    async list({ status, limit, cursor }) {
      const headers = [...sessions.values()]
        .map((session) => session.header)
        .filter((header) => status === undefined || header.status === status)
        .filter((header) => cursor === undefined || listKey(header) < cursor)
        .sort((a, b) => (listKey(a) < listKey(b) ? 1 : -1));
      const items = headers.slice(0, limit).map((header) => structuredClone(header));
      const last = items.at(-1);
      return headers.length > items.length && last !== undefined
        ? { items, cursor: listKey(last) }
        : { items };
    },

    async delete(id) {
      sessions.delete(id);
    },
  };
}

/** Sorts by time of update, then id; the time is padded so that strings compare as numbers. */
function listKey(header: SessionHeader): string {
  return `${String(header.updatedAt).padStart(16, '0')} ${header.id}`;
}
