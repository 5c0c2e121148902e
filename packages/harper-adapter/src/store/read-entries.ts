import type { Entry } from '@harperfast/agent-core/contracts';
import type { SessionTables } from './session-tables.js';
import { inTurns } from './in-turns.js';
import { readEntry } from './session-row.js';

/** Entries after `after` up to and including `upTo`, in order. Sequence numbers have no gaps, so the range is exact. */
export async function readEntries(
  tables: SessionTables,
  id: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly Entry[]> {
  if (upTo <= after) return [];
  const found = await tables.items.search({
    conditions: [
      {
        attribute: 'id',
        comparator: 'between',
        value: [
          [id, after + 1],
          [id, upTo],
        ],
      },
    ],
  });
  const entries: Entry[] = [];
  for await (const record of inTurns(found)) entries.push(readEntry(record));
  return entries.sort((a, b) => a.seq - b.seq);
}
