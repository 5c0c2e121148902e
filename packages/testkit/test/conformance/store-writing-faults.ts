import type { Entry, SessionHeader, SessionStore } from '@harperfast/agent-core/contracts';
import { StoreConflictError } from '@harperfast/agent-core/contracts';
import { lengthOf } from './store-fault.js';
import type { StoreFault } from './store-fault.js';

/** Stores that write wrongly. */
export const storeWritingFaults: readonly StoreFault[] = [
  [
    'creates over a session that is there',
    'refuses an id that is taken and leaves its session alone',
    (store) => ({
      async create(header) {
        await store.delete(header.id);
        await store.create(header);
      },
    }),
  ],
  [
    'appends without looking at the last entry',
    'refuses an append after an older entry and one after an entry that is not there',
    (store) => ({
      append: async (id, _after, entries, header) =>
        store.append(id, await lengthOf(store, id), entries, header),
    }),
  ],
  [
    'fails the whole tick for one conflict',
    'does not hurt the other appends of the tick, before it, after it, of its own session and of others',
    (store) => {
      let tick: Promise<boolean>[] = [];
      return {
        async append(id, after, entries, header) {
          tick.push(lengthOf(store, id).then((length) => length === after));
          await new Promise((resolve) => setImmediate(resolve));
          const sound = await Promise.all(tick);
          setImmediate(() => (tick = []));
          if (sound.includes(false)) throw new StoreConflictError('The commit failed');
          await store.append(id, after, entries, header);
        },
      };
    },
  ],
  [
    'writes the entries before it looks at the header',
    'writes nothing when its header cannot be stored',
    (store) => ({
      async append(id, after, entries, header) {
        const before = await store.load(id);
        if (before) await store.append(id, after, entries, before.header);
        await store.append(id, after + entries.length, [], structuredClone(header));
      },
    }),
  ],
  [
    'writes entry by entry',
    'writes nothing when one of its entries cannot be stored, and leaves the rest of the tick alone',
    (store) => ({
      async append(id, after, entries, header) {
        if (entries.length === 0) await store.append(id, after, entries, header);
        for (const [index, entry] of entries.entries())
          await store.append(id, after + index, [structuredClone(entry)], header);
      },
    }),
  ],
  [
    'shows the header before its entries',
    'never shows a header without its entries or entries without their header',
    (store) => ({
      async append(id, after, entries, header) {
        await store.append(id, after, [], header);
        await new Promise((resolve) => setImmediate(resolve));
        await store.append(id, after, entries, header);
      },
    }),
  ],
  [
    'answers before it has written',
    'sees an append as soon as it has resolved',
    (store) => ({
      async append(id, after, entries, header) {
        setImmediate(() => void store.append(id, after, entries, header).catch(() => undefined));
      },
    }),
  ],
  [
    'makes a session that does not exist',
    'refuses a session that does not exist, and makes none',
    (store) => ({
      async append(id, after, entries, header) {
        if (!(await store.load(id))) await store.create(header);
        await store.append(id, after, entries, header);
      },
    }),
  ],
  [
    'merges the header into the old one',
    'forgets what the new header no longer says',
    (store) => ({
      async append(id, after, entries, header) {
        const old = await store.load(id);
        await store.append(id, after, entries, { ...old?.header, ...header });
      },
    }),
  ],
  [
    'ignores an append without entries',
    'writes the header alone when there is no entry',
    (store) => ({
      append: async (id, after, entries, header) =>
        entries.length > 0 ? store.append(id, after, entries, header) : undefined,
    }),
  ],
  [
    'orders entries by the text of their number',
    'keeps the order of a thousand entries, in one append and in many',
    (store) => ({
      async load(id) {
        const loaded = await store.load(id);
        return (
          loaded && {
            ...loaded,
            entries: loaded.entries.toSorted((a, b) => (String(a.seq) < String(b.seq) ? -1 : 1)),
          }
        );
      },
    }),
  ],
  [
    'cuts long text',
    'gives back text of 200 KB',
    (store) => ({
      append: (id, after, entries, header) =>
        store.append(
          id,
          after,
          entries.map((entry) =>
            entry.kind === 'prompt' ? { ...entry, text: entry.text.slice(0, 65_536) } : entry,
          ),
          header,
        ),
    }),
  ],
  [
    'takes empty text for missing',
    'gives back text empty',
    (store) => ({
      append: (id, after, entries, header) => store.append(id, after, entries.map(withoutEmptyText), header),
    }),
  ],
  [
    'loses a key named __proto__',
    'keeps keys such as __proto__ as data',
    (store) => ({
      append: (id, after, entries, header) =>
        store.append(
          id,
          after,
          entries.map((entry) => withoutProto(entry)),
          header,
        ),
    }),
  ],
  [
    'gives out what it holds',
    'is not touched by changes to what it gave back',
    (store) => {
      const held = new Map<string, ReturnType<SessionStore['load']>>();
      return {
        async load(id) {
          if (!held.has(id)) held.set(id, store.load(id));
          return held.get(id);
        },
      };
    },
  ],
  [
    'holds what it was given',
    'is not touched by changes to what it was given',
    (store) => {
      const held = new Map<string, { header: SessionHeader; entries: readonly Entry[] }>();
      return {
        async append(id, after, entries, header) {
          await store.append(id, after, entries, header);
          if (after === 0) held.set(id, { header, entries });
        },
        load: async (id) => held.get(id) ?? store.load(id),
      };
    },
  ],
];

function withoutEmptyText(entry: Entry): Entry {
  return entry.kind === 'prompt' && entry.text === '' ? { ...entry, text: 'null' } : entry;
}

/** Copies as a careless encoder does: by assignment, where a key named __proto__ sets the prototype. */
function withoutProto<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value)) Reflect.set(copy, key, withoutProto(Reflect.get(value, key)));
  return copy as T;
}
