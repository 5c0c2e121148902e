import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommitQueue } from './commit-queue.js';
import type { SessionRow } from './session-row.js';
import type { SessionTables } from './session-tables.js';
import { readSessionRow } from './session-row.js';

const ITEMS_A_COMMIT = 200;

/**
 * Removes a session: first its row says `deleting`, so that nobody finds it any more, then its items go, batch by
 * batch, and the row goes with the last. Whatever stops it in between, `finishDeletes` goes on from there.
 */
export async function deleteSession(tables: SessionTables, queue: CommitQueue, id: string): Promise<void> {
  let seq = 0;
  let found = false;
  await queue.commit({
    sessionId: id,
    plan(row) {
      if (row === undefined) return { row, writes: [] };
      found = true;
      seq = row.seq;
      // The header's text goes at once: it holds the beginning of a prompt.
      const marked = { ...row, status: 'deleting' as const, header: '' };
      return { row: marked, writes: [] };
    },
  });
  if (!found) return;

  for (let first = 1; first <= seq; first += ITEMS_A_COMMIT) {
    const count = Math.min(ITEMS_A_COMMIT, seq - first + 1);
    const keys = Array.from({ length: count }, (_, index) => [id, first + index] as const);
    await queue.commit({
      sessionId: id,
      plan: (row) => ({
        row,
        writes: isMarked(row) ? keys.map((key) => ({ table: tables.items, key })) : [],
      }),
    });
    await nextTurn();
  }
  await queue.commit({
    sessionId: id,
    plan: (row) => ({ row: isMarked(row) ? undefined : row, writes: [] }),
  });
}

/** A second delete of the same session may have finished meanwhile, and its id been taken anew. */
function isMarked(row: SessionRow | undefined): boolean {
  return row?.status === 'deleting';
}

/** Finishes the deletes that a process before this one had begun. */
export async function finishDeletes(tables: SessionTables, queue: CommitQueue): Promise<void> {
  const found = await tables.sessions.search({
    conditions: [{ attribute: 'status', comparator: 'equals', value: 'deleting' }],
  });
  const ids: string[] = [];
  for await (const record of found) {
    const row = readSessionRow(record);
    if (row !== undefined) ids.push(row.session_id);
  }
  for (const id of ids) await deleteSession(tables, queue, id);
}
