import { AsyncLocalStorage } from 'node:async_hooks';
import type { Followup, FollowupStore, Redactor } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { HarperContext, HarperHost } from '../host.js';
import { fieldsOf } from '../fields-of.js';
import { inTurns } from './in-turns.js';

/** A followup's record: beside the whole as JSON text stands what an operator may want to search by. */
const rowSchema = z.object({
  id: z.string(),
  session_id: z.string(),
  state: z.string(),
  dueAt: z.number(),
  followup: z.string(),
});
type Row = z.infer<typeof rowSchema>;

const DAMAGED: Row = { id: '', session_id: '', state: '', dueAt: 0, followup: '' };

const NUMBERS = [
  'revision',
  'createdAt',
  'dueAt',
  'slot',
  'wakeAt',
  'missed',
  'attempts',
  'delivered',
  'givenUp',
] as const;

// What is read here was written by this package from typed values: the check looks for damage, not for the shape. Times
// and counts are looked at: with one that is none a followup would come at once, again and again.
const followupSchema = z.custom<Followup>((value) => {
  const { id, sessionId, prompt, state, every, until } = fieldsOf(value, [
    'id',
    'sessionId',
    'prompt',
    'state',
    'every',
    'until',
  ]);
  const texts = [id, sessionId, prompt, state].every((text) => typeof text === 'string');
  const numbers = Object.values(fieldsOf(value, NUMBERS));
  const repeats =
    every === undefined || (isCount(every) && every > 0 && (until === undefined || isCount(until)));
  return texts && numbers.length === NUMBERS.length && numbers.every(isCount) && repeats;
});

/** Times are within what a date can show. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}

/** One change: what it finds decides what it writes; a text, nothing to remove the row, `undefined` to leave it. */
interface Change {
  readonly id: string;
  plan(present: Followup | 'damaged' | undefined): Promise<Row | 'remove' | undefined>;
  resolve(written: boolean): void;
  reject(error: unknown): void;
}

/**
 * Opens `system.hdb_agent_followup`, one row a followup, on this node and outside of the audit log. The only writer of
 * the table is this process: what came meanwhile shares the next commit, one commit at a time, so what was read before
 * it still holds. Texts are redacted before they are stored. A damaged row is logged and left as it is.
 */
export function openFollowupStore(
  host: Pick<HarperHost, 'ensureTable' | 'transaction' | 'logger'>,
  redactor: Redactor,
): FollowupStore {
  const table = host.ensureTable({
    database: 'system',
    table: 'hdb_agent_followup',
    attributes: [
      { name: 'id', isPrimaryKey: true },
      { name: 'session_id', indexed: true },
      { name: 'state', indexed: true },
      { name: 'dueAt', indexed: true },
      { name: 'followup' },
    ],
    replicate: false,
    audit: false,
  });
  // A commit serves many callers, so it must not run in the context of the request that happened to come first.
  const inOwnContext = AsyncLocalStorage.snapshot();
  let waiting: Change[] = [];
  let committing: Promise<void> | undefined;

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await commit(batch);
    }
    committing = undefined;
  }

  async function commit(batch: readonly Change[]): Promise<void> {
    /** Rows as they will be; of two changes to one row the later sees what the earlier writes. */
    const rows = new Map<string, Row | undefined>();
    const answers: (() => void)[] = [];
    const changed = new Set<string>();
    for (const change of batch) {
      try {
        if (!rows.has(change.id)) rows.set(change.id, await readRow(table.get(change.id)));
        const planned = await change.plan(followupIn(rows.get(change.id)));
        if (planned !== undefined) {
          rows.set(change.id, planned === 'remove' ? undefined : planned);
          changed.add(change.id);
        }
        answers.push(() => change.resolve(planned !== undefined));
      } catch (error) {
        answers.push(() => change.reject(error));
      }
    }
    try {
      if (changed.size > 0) {
        await host.transaction(async (context) => {
          await Promise.all([...changed].map((id) => put(id, rows.get(id), context)));
        });
      }
      for (const answer of answers) answer();
    } catch (error) {
      for (const change of batch) change.reject(error);
    }
  }

  function put(id: string, row: Row | undefined, context: HarperContext): unknown {
    return row === undefined ? table.delete(id, context) : table.put(id, row, context);
  }

  function enqueue(id: string, plan: Change['plan']): Promise<boolean> {
    return new Promise((resolve, reject) => {
      waiting.push({ id, plan, resolve, reject });
      committing ??= inOwnContext(commitAll);
    });
  }

  async function toRow(followup: Followup): Promise<Row> {
    const { id, sessionId, state, dueAt, prompt, lastError } = followup;
    const text = JSON.stringify({
      ...followup,
      prompt: await redactor.redact(prompt),
      ...(lastError === undefined ? {} : { lastError: await redactor.redact(lastError) }),
    });
    return { id, session_id: sessionId, state, dueAt, followup: text };
  }

  return {
    async list() {
      await committing;
      const followups: Followup[] = [];
      for await (const record of inTurns(await table.search({ conditions: [] }))) {
        const row = await readRow(record);
        const followup = followupIn(row);
        if (followup === 'damaged') {
          host.logger.error(
            `The followup ${row?.id} in system.hdb_agent_followup is damaged; it is left alone`,
          );
        } else if (followup !== undefined) followups.push(followup);
      }
      return followups;
    },
    write(followup, expected) {
      // Taken as it is now: the caller may change it afterwards.
      const copy = structuredClone(followup);
      return enqueue(copy.id, async (present) => {
        if (present === 'damaged' || (present?.revision ?? 0) !== expected) return undefined;
        return toRow(copy);
      });
    },
    async delete(id) {
      await enqueue(id, async (present) => (present === undefined ? undefined : 'remove'));
    },
  };
}

async function readRow(record: unknown): Promise<Row | undefined> {
  const found: unknown = await record;
  if (found === undefined || found === null) return undefined;
  const { id, session_id, state, dueAt, followup } = fieldsOf(found, Object.keys(rowSchema.shape));
  const row = rowSchema.safeParse({ id, session_id, state, dueAt, followup });
  return row.success ? row.data : { ...DAMAGED, id: String(id) };
}

function followupIn(row: Row | undefined): Followup | 'damaged' | undefined {
  if (row === undefined) return undefined;
  const parsed = followupSchema.safeParse(parseJson(row.followup));
  return parsed.success ? parsed.data : 'damaged';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
