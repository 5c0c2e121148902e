import type { Entry, SessionHeader } from '@harperfast/agent-core/contracts';
import { SCHEMA_VERSION } from '@harperfast/agent-core/contracts';
import type { FirstAgentRow } from './first-agent-row.js';
import { titleOf, userOf } from './first-agent-row.js';

/** The header of a session of Harper's first agent, whose transcript has become these entries. */
export function toHeader(row: FirstAgentRow, entries: readonly Entry[], delimiter: string): SessionHeader {
  const end = entries.at(-1);
  const count = (kind: Entry['kind']): number => entries.filter((entry) => entry.kind === kind).length;
  const prompts = entries.flatMap((entry) =>
    entry.kind === 'prompt' ? [{ role: 'user', content: entry.text }] : [],
  );
  return {
    id: row.session_id,
    schemaVersion: SCHEMA_VERSION,
    user: userOf(row),
    status: statusOf(row, entries),
    seq: entries.length,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    title: titleOf({ messages: prompts }),
    totals: {
      rounds: count('round'),
      toolCalls: count('result'),
      promptTokens: 0,
      completionTokens: 0,
      costMicros: 0,
    },
    pendingApprovals: [],
    grants: [],
    delimiter,
    ...(end?.kind === 'end' ? { stopReason: end.reason } : {}),
    ...(end?.kind === 'end' && end.error !== undefined ? { lastError: end.error } : {}),
  };
}

/** Nothing of it runs or waits any more. */
function statusOf({ status }: FirstAgentRow, entries: readonly Entry[]): SessionHeader['status'] {
  const ended = status === 'completed' || status === 'aborted' || status === 'error';
  return ended && entries.length > 0 ? status : 'idle';
}
