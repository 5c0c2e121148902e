import { AgentError, NotFoundError, StoreConflictError } from '@harperfast/agent-core/contracts';
import type { Page, Redactor, SessionStore } from '@harperfast/agent-core/contracts';
import type { HarperHost } from '../host.js';
import type { FirstAgentSessions } from './first-agent/first-agent-sessions.js';
import type { SessionQuery } from './list-sessions.js';
import type { StoredSession } from './stored-session.js';
import { createCommitQueue } from './commit-queue.js';
import { deleteSession, finishDeletes } from './delete-session.js';
import { listSessions } from './list-sessions.js';
import { readEntries } from './read-entries.js';
import { openSessionTables } from './session-tables.js';
import { upToDate } from './up-to-date.js';
import { createFirstAgentSessions } from './first-agent/first-agent-sessions.js';
import { readFirstAgentRow } from './first-agent/first-agent-row.js';
import { readHeader, readSessionRow, toItem, toSessionRow } from './session-row.js';

/** The engine's store, and what else lies in its table. */
export interface TableStore extends SessionStore {
  /** As `list`, with the sessions the engine does not know. */
  listAll(query: SessionQuery): Promise<Page<StoredSession>>;
  readonly firstAgent: FirstAgentSessions;
}

/**
 * Opens the `SessionStore` on Harper's tables and finishes deletes that an earlier process began. One process may
 * have it open at a time. Entries come to it redacted; the redactor is for what another agent wrote.
 */
export async function openTableStore(
  host: Pick<HarperHost, 'ensureTable' | 'transaction'>,
  redactor: Redactor,
): Promise<TableStore> {
  const tables = openSessionTables(host);
  const queue = createCommitQueue(host, tables);
  await finishDeletes(tables, queue);

  /** The row of a session that exists for the engine. Throws where another agent, not the first, wrote it. */
  async function liveRow(id: string) {
    const record = await tables.sessions.get(id);
    const row = readSessionRow(record);
    if (row !== undefined) return row.status === 'deleting' ? undefined : upToDate(tables, row);
    if (record === undefined || record === null || readFirstAgentRow(record) !== undefined) return undefined;
    throw new AgentError(
      'schema_version',
      `The session ${id} was stored by another version of the agent; it was left as it is. Use that version for it`,
      { statusCode: 409 },
    );
  }

  return {
    async create(header) {
      const row = toSessionRow(header, 0);
      await queue.commit({
        sessionId: header.id,
        plan(current) {
          if (current !== undefined) throw new StoreConflictError(`The session ${header.id} exists already`);
          return { row, writes: [] };
        },
      });
    },

    async append(id, after, entries, header) {
      const items = entries.map((entry, index) => toItem(id, after + 1 + index, entry));
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
          return { row, writes: items.map((item) => ({ table: tables.items, key: item.id, record: item })) };
        },
      });
    },

    async load(id) {
      const row = await liveRow(id);
      if (row === undefined) return undefined;
      const entries = await readEntries(tables, id, { after: 0, upTo: row.seq });
      return { header: { ...readHeader(row), seq: row.seq }, entries };
    },

    async read(id, { after, limit }) {
      const row = await liveRow(id);
      if (row === undefined) return [];
      return readEntries(tables, id, { after, upTo: Math.min(after + limit, row.seq) });
    },

    async list(query) {
      await queue.writeRows();
      const { items, ...rest } = await listSessions(tables, query, (session) => session.kind === 'session');
      return { ...rest, items: items.map(({ header }) => header) };
    },

    async listAll(query) {
      await queue.writeRows();
      return listSessions(tables, query, (_session): _session is StoredSession => true);
    },

    firstAgent: createFirstAgentSessions(tables, queue, redactor),

    delete: (id) => deleteSession(tables, queue, id),
  };
}
