import type { SessionHeader } from '@harperfast/agent-core/contracts';
import { SCHEMA_VERSION } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { FirstAgentRow } from './first-agent/first-agent-row.js';
import { fieldsOf } from '../fields-of.js';
import { readFirstAgentRow } from './first-agent/first-agent-row.js';
import { readHeader, readSessionRow } from './session-row.js';

/** A row of the table of sessions, whoever wrote it. */
export type StoredSession = {
  readonly session_id: string;
  readonly updatedAt: number;
} & (
  | { readonly kind: 'session'; readonly header: SessionHeader }
  | { readonly kind: 'first-agent'; readonly row: FirstAgentRow }
  | { readonly kind: 'unreadable'; readonly status: string; readonly problem: string }
);

const placeSchema = z.object({ session_id: z.string(), updatedAt: z.number(), status: z.string() });

/** What a record of the table is; `undefined` for what is no session, or is being deleted. */
export function readStoredSession(record: unknown): StoredSession | undefined {
  const parsed = placeSchema.safeParse(fieldsOf(record, Object.keys(placeSchema.shape)));
  if (!parsed.success || parsed.data.status === 'deleting') return undefined;
  const { session_id, updatedAt, status } = parsed.data;
  const earlier = readFirstAgentRow(record);
  if (earlier !== undefined) return { kind: 'first-agent', session_id, updatedAt, row: earlier };
  const unreadable = (problem: string): StoredSession => ({
    kind: 'unreadable',
    session_id,
    updatedAt,
    status,
    problem,
  });

  const row = readSessionRow(record);
  if (row === undefined) return unreadable('another version of the agent wrote it');
  try {
    const header = readHeader(row);
    if (header.schemaVersion > SCHEMA_VERSION) {
      return unreadable(
        `a newer agent wrote it (version ${header.schemaVersion}, this one reads up to ${SCHEMA_VERSION})`,
      );
    }
    return { kind: 'session', session_id, updatedAt, header };
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error));
  }
}
