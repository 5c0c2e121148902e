import { fieldsOf } from '../fields-of.js';
import { inTurns } from './in-turns.js';
import type { SessionTables } from './session-tables.js';

/** The seqs of the items that are stored for a session, those after `after`, in order, whatever the items hold. */
export async function* itemSeqs(
  tables: Pick<SessionTables, 'items'>,
  sessionId: string,
  after: number,
): AsyncGenerator<number, void, undefined> {
  const found = await tables.items.search({
    conditions: [
      {
        attribute: 'id',
        comparator: 'between',
        value: [
          [sessionId, after + 1],
          [sessionId, Number.MAX_SAFE_INTEGER],
        ],
      },
    ],
  });
  for await (const record of inTurns(found)) {
    const { id } = fieldsOf(record, ['id']);
    const seq: unknown = Array.isArray(id) ? id[1] : undefined;
    if (typeof seq === 'number') yield seq;
  }
}
