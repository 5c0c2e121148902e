import type { Entry } from '@harperfast/agent-core/contracts';
import { allHeaders } from './store-fault.js';
import type { StoreFault } from './store-fault.js';

/** Stores that read, list or delete wrongly. */
export const storeReadingFaults: readonly StoreFault[] = [
  [
    'gives the entry it was asked to start after',
    'gives the entries after a place, in order, as many as asked for',
    (store) => ({
      read: (id, { after, limit }) => store.read(id, { after: Math.max(0, after - 1), limit }),
    }),
  ],
  [
    'ignores the limit of a read',
    'gives the entries after a place, in order, as many as asked for',
    (store) => ({
      read: (id, { after }) => store.read(id, { after, limit: 1_000_000 }),
    }),
  ],
  [
    'refuses to read a session it does not know',
    'knows nothing of sessions that do not exist, whatever their name',
    (store) => ({
      async read(id, range) {
        if (!(await store.load(id))) throw new Error(`There is no session ${id}`);
        return store.read(id, range);
      },
    }),
  ],
  [
    'lists the oldest first',
    'gives headers, most recently updated first',
    (store) => ({
      async list(query) {
        const all = await allHeaders(store, query.status);
        return { items: all.reverse().slice(0, query.limit) };
      },
    }),
  ],
  [
    'has a cursor of the time alone',
    'pages through sessions updated in the same millisecond, each once',
    (store) => ({
      async list({ status, limit, cursor }) {
        const all = (await allHeaders(store, status)).filter(
          (header) => cursor === undefined || header.updatedAt < Number(cursor),
        );
        const items = all.slice(0, limit);
        return all.length > limit ? { items, cursor: String(items.at(-1)?.updatedAt) } : { items };
      },
    }),
  ],
  [
    'has a cursor that counts',
    'goes on where a page ended, though newer sessions have come since',
    (store) => ({
      async list({ status, limit, cursor = '0' }) {
        const all = await allHeaders(store, status);
        const end = Number(cursor) + limit;
        return {
          items: all.slice(Number(cursor), end),
          ...(all.length > end ? { cursor: String(end) } : {}),
        };
      },
    }),
  ],
  [
    'has a cursor that looks its session up',
    'goes on where a page ended, though its last session was updated or deleted since',
    (store) => ({
      async list({ status, limit, cursor }) {
        const all = await allHeaders(store, status);
        const start = cursor === undefined ? 0 : all.findIndex((header) => header.id === cursor) + 1;
        const items = all.slice(start, start + limit);
        return { items, ...(all.length > start + limit ? { cursor: items.at(-1)?.id ?? '' } : {}) };
      },
    }),
  ],
  [
    'filters after it has cut the page',
    'filters by status, in full pages, as the status is now',
    (store) => ({
      async list({ status, limit, cursor }) {
        const page = await store.list({ limit, ...(cursor === undefined ? {} : { cursor }) });
        return {
          ...page,
          items: page.items.filter((header) => status === undefined || header.status === status),
        };
      },
    }),
  ],
  [
    'deletes by prefix',
    'deletes one of them and no other',
    (store) => ({
      async delete(id) {
        for (const header of await allHeaders(store))
          if (header.id.startsWith(id)) await store.delete(header.id);
      },
    }),
  ],
  [
    'leaves the old entries of a deleted session',
    'leaves nothing behind for a new session of the same id, however long the old one was',
    (store) => {
      const old = new Map<string, readonly Entry[]>();
      return {
        async delete(id) {
          old.set(id, (await store.load(id))?.entries ?? []);
          await store.delete(id);
        },
        async read(id, { after, limit }) {
          const found = await store.read(id, { after, limit });
          return found.length > 0
            ? found
            : (old.get(id) ?? []).filter((entry) => entry.seq > after).slice(0, limit);
        },
      };
    },
  ],
  [
    'takes ids without their case',
    'keeps sessions apart whose ids resemble each other',
    (store) => ({
      load: (id) => store.load(id.toLowerCase()),
      read: (id, range) => store.read(id.toLowerCase(), range),
      append: (id, after, entries, header) => store.append(id.toLowerCase(), after, entries, header),
      create: (header) => store.create({ ...header, id: header.id.toLowerCase() }),
    }),
  ],
];
