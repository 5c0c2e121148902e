import { NotFoundError, StoreConflictError } from '@harperfast/agent-core/contracts';
import type { Entry, SessionHeader, SessionStore } from '@harperfast/agent-core/contracts';
import { openDatabase, toSynchronous } from './transcript.ts';

interface Waiting {
  readonly apply: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MOST_LAG_MS = 1_000;

/** A `SessionStore` on SQLite, for measuring only. Changes of one turn of the event loop share a commit. */
export function openSqliteStore(options: { readonly folder: string; readonly synchronous: string }): {
  readonly store: SessionStore;
  readonly close: () => Promise<void>;
} {
  const database = openDatabase(options.folder, toSynchronous(options.synchronous));
  database.exec(`
    CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, seq INTEGER, status TEXT, place TEXT, header TEXT);
    CREATE TABLE IF NOT EXISTS entry (id TEXT, seq INTEGER, entry TEXT, PRIMARY KEY (id, seq)) WITHOUT ROWID;
  `);
  const insertSession = database.prepare('INSERT OR IGNORE INTO session VALUES (?, ?, ?, ?, ?)');
  const updateSession = database.prepare(
    'UPDATE session SET seq = ?, status = ?, place = ?, header = ? WHERE id = ?',
  );
  const insertEntry = database.prepare('INSERT INTO entry VALUES (?, ?, ?)');
  const lastOf = database.prepare<[string], number | null>('SELECT max(seq) FROM entry WHERE id = ?').pluck();
  const headerOf = database.prepare<[string], string>('SELECT header FROM session WHERE id = ?').pluck();
  const entriesOf = database
    .prepare<[string, number, number], string>(
      'SELECT entry FROM entry WHERE id = ? AND seq > ? ORDER BY seq LIMIT ?',
    )
    .pluck();
  const listed = database
    .prepare<{ status: string | null; cursor: string | null; limit: number }, string>(
      'SELECT header FROM session WHERE (@status IS NULL OR status = @status) AND (@cursor IS NULL OR place < @cursor) ORDER BY place DESC LIMIT @limit',
    )
    .pluck();
  const dropEntries = database.prepare('DELETE FROM entry WHERE id = ?');
  const dropSession = database.prepare('DELETE FROM session WHERE id = ?');

  // As in the adapter's store, the row of a running session may lag behind its entries for a second.
  const running = new Map<string, { readonly header: SessionHeader; readonly writtenAt: number }>();

  let queue: Waiting[] = [];
  const commit = database.transaction((batch: readonly Waiting[]) => {
    const refused = new Map<Waiting, unknown>();
    for (const item of batch) {
      try {
        item.apply();
      } catch (error) {
        // Each change checks before it writes, so one that is refused has written nothing.
        refused.set(item, error);
      }
    }
    return refused;
  });

  function commitQueue(): void {
    const batch = queue;
    queue = [];
    try {
      const refused = commit(batch);
      for (const item of batch) {
        if (refused.has(item)) item.reject(refused.get(item));
        else item.resolve();
      }
    } catch (error) {
      for (const item of batch) item.reject(error);
    }
  }

  function change(apply: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (queue.push({ apply, resolve, reject }) === 1) setImmediate(commitQueue);
    });
  }

  const read = (id: string, after: number, limit: number): readonly Entry[] =>
    entriesOf.all(id, after, limit).map((text): Entry => JSON.parse(text));

  function readHeader(
    id: string,
  ): { readonly header: SessionHeader; readonly writtenAt: number } | undefined {
    const text = headerOf.get(id);
    if (text === undefined) return undefined;
    const header: SessionHeader = JSON.parse(text);
    return { header: { ...header, seq: lastOf.get(id) ?? 0 }, writtenAt: header.updatedAt };
  }

  function writeHeader(header: SessionHeader): void {
    const { id, seq, status } = header;
    updateSession.run(seq, status, placeOf(header), JSON.stringify(header), id);
  }

  const store: SessionStore = {
    async create(header) {
      const { id, seq, status } = header;
      await change(() => {
        const { changes } = insertSession.run(id, seq, status, placeOf(header), JSON.stringify(header));
        if (changes === 0) throw new StoreConflictError(`The session ${id} exists already`);
      });
    },
    async append(id, after, entries, header) {
      const texts = entries.map((entry) => JSON.stringify(entry));
      await change(() => {
        const known = running.get(id) ?? readHeader(id);
        if (known === undefined) throw new NotFoundError(`There is no session ${id} to append to`);
        const { seq, status } = known.header;
        if (seq !== after) {
          throw new StoreConflictError(
            `The session ${id} is at entry ${seq}, not at ${after}: load it again`,
          );
        }
        texts.forEach((text, index) => insertEntry.run(id, after + 1 + index, text));
        const lags =
          status === 'running' &&
          header.status === 'running' &&
          Math.abs(header.updatedAt - known.writtenAt) < MOST_LAG_MS;
        if (!lags) writeHeader(header);
        if (header.status === 'running')
          running.set(id, { header, writtenAt: lags ? known.writtenAt : header.updatedAt });
        else running.delete(id);
      });
    },
    async load(id) {
      const found = readHeader(id);
      return found === undefined ? undefined : { header: found.header, entries: read(id, 0, -1) };
    },
    read: async (id, { after, limit }) => read(id, after, limit),
    async list({ status, limit, cursor }) {
      await change(() => {
        for (const { header } of running.values()) writeHeader(header);
      });
      const found = listed.all({ status: status ?? null, cursor: cursor ?? null, limit: limit + 1 });
      const items = found.slice(0, limit).map((text): SessionHeader => JSON.parse(text));
      const last = items.at(-1);
      return found.length > limit && last !== undefined ? { items, cursor: placeOf(last) } : { items };
    },
    delete: (id) =>
      change(() => {
        dropEntries.run(id);
        dropSession.run(id);
        running.delete(id);
      }),
  };
  return {
    store,
    async close() {
      database.close();
    },
  };
}

/** Sorts as the list is asked for: by time of update, then by id. */
function placeOf({ id, updatedAt }: SessionHeader): string {
  return `${String(updatedAt).padStart(16, '0')} ${id}`;
}
