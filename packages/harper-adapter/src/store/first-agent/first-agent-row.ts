import { z } from 'zod';
import { fieldsOf } from '../../fields-of.js';

/**
 * A session as Harper's first agent stored it: one row that holds everything. What it holds is handed on as it is;
 * only what a list needs is checked.
 */
export interface FirstAgentRow {
  readonly session_id: string;
  readonly status: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly messages: readonly unknown[];
  readonly user?: unknown;
  readonly pendingApprovals?: unknown;
  readonly model?: unknown;
  readonly provider?: unknown;
  readonly lastError?: unknown;
}

const rowSchema = z.object({
  session_id: z.string(),
  status: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  messages: z.array(z.unknown()),
});

const LOOSE_FIELDS = ['user', 'pendingApprovals', 'model', 'provider', 'lastError'];
/** What says that another agent wrote a row: the first one knew no versions, and kept no header beside the messages. */
const LATER_FIELDS = ['header', 'seq', 'version', 'schemaVersion'];

/** The row in a record that Harper handed out; `undefined` when it is none of Harper's first agent. */
export function readFirstAgentRow(record: unknown): FirstAgentRow | undefined {
  if (Object.keys(fieldsOf(record, LATER_FIELDS)).length > 0) return undefined;
  const parsed = rowSchema.safeParse(fieldsOf(record, Object.keys(rowSchema.shape)));
  if (!parsed.success) return undefined;
  // Harper's records are frozen, and their fields may be getters: a copy is plain data.
  return structuredClone({ ...fieldsOf(record, LOOSE_FIELDS), ...parsed.data });
}

/** Who started the session. */
export function userOf({ user }: Pick<FirstAgentRow, 'user'>): string {
  return typeof user === 'string' ? user : 'unknown';
}

/** The beginning of the first message of a user; empty when there is none. */
export function titleOf({ messages }: Pick<FirstAgentRow, 'messages'>): string {
  for (const message of messages) {
    const { role, content } = fieldsOf(message, ['role', 'content']);
    if (role === 'user' && typeof content === 'string') return shorten(content);
  }
  return '';
}

function shorten(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
