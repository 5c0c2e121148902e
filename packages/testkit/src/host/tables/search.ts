import { setImmediate } from 'node:timers/promises';
import { compareValues, matches, type Query, type SortOrder } from './conditions.js';
import type { StoredRecord } from './stored-record.js';

const ROWS_A_TURN = 500;

/**
 * Filters, sorts and pages `entries`. Gives the event loop a turn every 500 rows, so that a long scan does not
 * stall the thread it shares.
 */
export async function* searchRecords(
  entries: Iterable<{ value: StoredRecord }>,
  query: Query,
  primaryKey: string,
): AsyncGenerator<StoredRecord, undefined> {
  const { sort, offset, limit, select } = query;
  const needed = offset + limit;
  const inOrder = sort === undefined || sort.attribute === primaryKey;
  const found = await scan(entries, query, inOrder ? needed : Number.POSITIVE_INFINITY);
  if (!inOrder) found.sort((left, right) => compareBy(left, right, sort));
  for (const record of found.slice(offset, needed)) yield selected(record, select);
}

async function scan(
  entries: Iterable<{ value: StoredRecord }>,
  query: Query,
  enough: number,
): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  let rows = 0;
  for (const { value } of entries) {
    if (found.length >= enough) break;
    if (++rows % ROWS_A_TURN === 0) await setImmediate();
    if (matches(value, query)) found.push(value);
  }
  return found;
}

function compareBy(left: StoredRecord, right: StoredRecord, order: SortOrder): number {
  const compared = compareValues(left[order.attribute], right[order.attribute]);
  if (compared !== 0) return order.descending === true ? -compared : compared;
  return order.next === undefined ? 0 : compareBy(left, right, order.next);
}

function selected(record: StoredRecord, select: Query['select']): StoredRecord {
  if (select === undefined) return record;
  const names = typeof select === 'string' ? [select] : select;
  return Object.freeze(Object.fromEntries(names.map((name) => [name, record[name] ?? null])));
}
