import { AgentError, STATUSES } from '@harperfast/agent-core/contracts';
import type { Entry, SessionHeader, Status } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { fieldsOf } from '../fields-of.js';

/**
 * A session's row. Header and entries are kept as JSON text beside the columns Harper searches by: a record's own
 * encoding renames keys such as `__proto__` and alters values that JSON keeps, and an approval is bound to exact
 * arguments.
 */
export interface SessionRow {
  readonly session_id: string;
  readonly user: string;
  /** `deleting` marks a session whose items are being removed. */
  readonly status: Status | 'deleting';
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly header: string;
}

const rowSchema = z.object({
  session_id: z.string(),
  user: z.string(),
  status: z.enum([...STATUSES, 'deleting']),
  createdAt: z.number(),
  updatedAt: z.number(),
  seq: z.int().min(0),
  header: z.string(),
});

/** The row of a header whose journal ends at `seq`. */
export function toSessionRow(header: SessionHeader, seq: number): SessionRow {
  return {
    session_id: header.id,
    user: header.user,
    status: header.status,
    createdAt: header.createdAt,
    updatedAt: header.updatedAt,
    seq,
    header: JSON.stringify(header),
  };
}

/** The record of one entry, encoded at once: it stays what the entry is now. */
export function toItem(sessionId: string, seq: number, entry: Entry) {
  const key: readonly [string, number] = [sessionId, seq];
  return { id: key, kind: entry.kind, at: entry.at, entry: JSON.stringify(entry) };
}

/** The row in a record that Harper handed out; `undefined` when there is none, and for rows of any other form. */
export function readSessionRow(record: unknown): SessionRow | undefined {
  const parsed = rowSchema.safeParse(fieldsOf(record, Object.keys(rowSchema.shape)));
  return parsed.success ? parsed.data : undefined;
}

/** The header a row holds. Throws when its text is damaged. */
export function readHeader(row: SessionRow): SessionHeader {
  const header = parseJson(row.header);
  if (!isHeader(header)) throw damaged(`The stored header of session ${row.session_id} is damaged`);
  return header;
}

/** The entry an item's record holds. Throws when it is damaged: a journal with a hole is not a journal. */
export function readEntry(record: unknown): Entry {
  const { id, entry: text } = fieldsOf(record, ['id', 'entry']);
  const entry = typeof text === 'string' ? parseJson(text) : undefined;
  if (!isEntry(entry)) throw damaged(`The stored journal entry ${String(id)} is damaged`);
  return entry;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function damaged(message: string): AgentError {
  return new AgentError('corrupt_journal', message);
}

// What is read here was written by this package from typed values: the checks look for damage, not for the shape,
// and cost little, because a session has thousands of entries.
function isHeader(value: unknown): value is SessionHeader {
  const { id, seq, status } = fieldsOf(value, ['id', 'seq', 'status']);
  return typeof id === 'string' && typeof seq === 'number' && typeof status === 'string';
}

function isEntry(value: unknown): value is Entry {
  const { kind, seq, at } = fieldsOf(value, ['kind', 'seq', 'at']);
  return typeof kind === 'string' && typeof seq === 'number' && typeof at === 'number';
}
