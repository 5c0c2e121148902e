import { NotFoundError, StoreConflictError } from '@harperfast/agent-core/contracts';
import type { SessionStore } from '@harperfast/agent-core/contracts';
import type { HarperHost } from '../host.js';
import { createCommitQueue } from './commit-queue.js';
import { deleteSession, finishDeletes } from './delete-session.js';
import { listSessions } from './list-sessions.js';
import { readEntries } from './read-entries.js';
import { openSessionTables } from './session-tables.js';
import { readHeader, readSessionRow, toSessionRow } from './session-row.js';

/**
 * Opens the `SessionStore` on Harper's tables and finishes deletes that an earlier process began. One process may
 * have it open at a time.
 */
export async function openTableStore(
  host: Pick<HarperHost, 'ensureTable' | 'transaction'>,
): Promise<SessionStore> {
  const tables = openSessionTables(host);
  const queue = createCommitQueue(host, tables);
  await finishDeletes(tables, queue);

  /** The row of a session that exists for readers. */
  async function liveRow(id: string) {
    const row = readSessionRow(await tables.sessions.get(id));
    return row === undefined || row.status === 'deleting' ? undefined : row;
  }

  return {
    async create(header) {
      const row = toSessionRow(header, 0);
      await queue.commit({
        sessionId: header.id,
        plan(current) {
          if (current !== undefined) throw new StoreConflictError(`The session ${header.id} exists already`);
          return { row, writes: [{ table: tables.sessions, key: header.id, record: row }] };
        },
      });
    },

    async append(id, after, entries, header) {
      // Encoded at once: what is appended is what the entries are now, whatever becomes of the objects.
      const items = entries.map((entry, index) => {
        const key: [string, number] = [id, after + 1 + index];
        return { id: key, kind: entry.kind, at: entry.at, entry: JSON.stringify(entry) };
      });
      const row = toSessionRow(header, after + entries.length);
      await queue.commit({
        sessionId: id,
        plan(current) {
          if (current === undefined || current.status === 'deleting') {
            throw new NotFoundError(`There is no session ${id} to append to`);
          }
          if (current.seq !== after) {
            throw new StoreConflictError(
              `The session ${id} is at entry ${current.seq}, not at ${after}: load it again`,
            );
          }
          const writes = items.map((item) => ({ table: tables.items, key: item.id, record: item }));
          return { row, writes: [...writes, { table: tables.sessions, key: id, record: row }] };
        },
      });
    },

    async load(id) {
      const row = await liveRow(id);
      if (row === undefined) return undefined;
      return { header: readHeader(row), entries: await readEntries(tables, id, { after: 0, upTo: row.seq }) };
    },

    async read(id, { after, limit }) {
      const row = await liveRow(id);
      if (row === undefined) return [];
      return readEntries(tables, id, { after, upTo: Math.min(after + limit, row.seq) });
    },

    list: (query) => listSessions(tables, query),

    delete: (id) => deleteSession(tables, queue, id),
  };
}
