import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CommitQueue } from './commit-queue.js';
import type { SessionTables } from './session-tables.js';
import { itemSeqs } from './item-seqs.js';
import { readSessionRow } from './session-row.js';

const ITEMS_A_COMMIT = 200;

/**
 * Removes a session: first its row says `deleting`, so that nobody finds it any more, then its items go, batch by
 * batch, and the row goes with the last. Whatever stops it in between, `finishDeletes` goes on from there.
 */
export async function deleteSession(tables: SessionTables, queue: CommitQueue, id: string): Promise<void> {
  let marked = false;
  let after = 0;
  await queue.commit({
    sessionId: id,
    plan(row) {
      marked = row !== undefined;
      // The header's text goes at once: it holds the beginning of a prompt.
      return { row: row && { ...row, status: 'deleting', header: '' }, writes: [] };
    },
  });

  while (marked) {
    const seqs = await nextItems(tables, id, after);
    after = seqs.at(-1) ?? after;
    await queue.commit({
      sessionId: id,
      plan(row) {
        // A second delete of the same session may have finished meanwhile, and its id been taken anew.
        marked = row?.status === 'deleting' && seqs.length > 0;
        if (row?.status !== 'deleting') return { row, writes: [] };
        return {
          row: seqs.length > 0 ? row : undefined,
          writes: seqs.map((seq) => ({ table: tables.items, key: [id, seq] })),
        };
      },
    });
    await nextTurn();
  }
}

/** The next of the items that are there, whatever the row says of how many there are. */
async function nextItems(tables: SessionTables, id: string, after: number): Promise<readonly number[]> {
  const seqs: number[] = [];
  for await (const seq of itemSeqs(tables, id, after)) {
    seqs.push(seq);
    if (seqs.length === ITEMS_A_COMMIT) break;
  }
  return seqs;
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
