import type { SessionRow } from './session-row.js';
import type { SessionTables } from './session-tables.js';
import { itemSeqs } from './item-seqs.js';

/**
 * The row with the seq of the last item: the row of a running session may lag behind. What else of its header lags is
 * folded from the items by whoever loads them.
 */
export async function upToDate(tables: SessionTables, row: SessionRow): Promise<SessionRow> {
  if (row.status !== 'running') return row;
  let { seq } = row;
  for await (const found of itemSeqs(tables, row.session_id, row.seq)) {
    // Items are written without gaps: what comes after one was not written with this row.
    if (found !== seq + 1) break;
    seq = found;
  }
  return { ...row, seq };
}
