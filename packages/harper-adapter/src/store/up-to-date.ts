import type { SessionRow } from './session-row.js';
import type { SessionTables } from './session-tables.js';
import { readEntry } from './session-row.js';

/**
 * The row with the seq of the last item: the row of a running session may lag behind. What else of its header lags is
 * folded from the items by whoever loads them.
 */
export async function upToDate(tables: SessionTables, row: SessionRow): Promise<SessionRow> {
  if (row.status !== 'running') return row;
  const { session_id: id } = row;
  const value = [
    [id, row.seq + 1],
    [id, Number.MAX_SAFE_INTEGER],
  ];
  let { seq } = row;
  for await (const record of await tables.items.search({
    conditions: [{ attribute: 'id', comparator: 'between', value }],
  })) {
    seq = Math.max(seq, readEntry(record).seq);
  }
  return { ...row, seq };
}
