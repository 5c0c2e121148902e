import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { Page, SessionStore } from '@harperfast/agent-core/contracts';
import type { SessionTables } from './session-tables.js';
import type { StoredSession } from './stored-session.js';
import { inTurns } from './in-turns.js';
import { readStoredSession } from './stored-session.js';

export type SessionQuery = Parameters<SessionStore['list']>[0];

/**
 * The sessions that `wanted` lets through, by time of update, newest first, then by id; the cursor is the place of
 * the last one.
 */
export async function listSessions<Wanted extends StoredSession>(
  tables: SessionTables,
  { status, limit, cursor }: SessionQuery,
  wanted: (session: StoredSession) => session is Wanted,
): Promise<Page<Wanted>> {
  const from = cursor === undefined ? undefined : parseCursor(cursor);
  const found = await tables.sessions.search({
    conditions: [
      {
        attribute: 'updatedAt',
        comparator: 'less_than_equal',
        value: from?.updatedAt ?? Number.MAX_SAFE_INTEGER,
      },
      ...(status === undefined
        ? []
        : [{ attribute: 'status', comparator: 'equals' as const, value: status }]),
    ],
    sort: { attribute: 'updatedAt', descending: true },
  });

  const rows: Wanted[] = [];
  for await (const record of inTurns(found)) {
    const row = readStoredSession(record);
    if (row === undefined || !wanted(row)) continue;
    if (from !== undefined && compareNewestFirst(row, from) <= 0) continue;
    const last = rows.at(-1);
    // Rows of the same moment come in any order: the page is known only when all of them were seen.
    if (rows.length > limit && last !== undefined && row.updatedAt < last.updatedAt) break;
    rows.push(row);
  }
  rows.sort(compareNewestFirst);

  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return rows.length > items.length && last !== undefined ? { items, cursor: formatCursor(last) } : { items };
}

type Place = Pick<StoredSession, 'updatedAt' | 'session_id'>;

function compareNewestFirst(a: Place, b: Place): number {
  if (a.updatedAt !== b.updatedAt) return b.updatedAt - a.updatedAt;
  if (a.session_id === b.session_id) return 0;
  return a.session_id < b.session_id ? 1 : -1;
}

function formatCursor(place: Place): string {
  return `${place.updatedAt}.${place.session_id}`;
}

function parseCursor(cursor: string): Place {
  const match = /^(\d{1,16})\.(.+)$/s.exec(cursor);
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new InvalidRequestError(
      `The cursor '${cursor.slice(0, 100)}' is not one: pass the cursor of the last page, unchanged`,
    );
  }
  return { updatedAt: Number(match[1]), session_id: match[2] };
}
