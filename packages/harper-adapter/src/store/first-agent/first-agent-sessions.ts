import { randomBytes, randomUUID } from 'node:crypto';
import type { Redactor } from '@harperfast/agent-core/contracts';
import type { CommitQueue } from '../commit-queue.js';
import type { SessionTables } from '../session-tables.js';
import type { FirstAgentRow } from './first-agent-row.js';
import { toItem, toSessionRow } from '../session-row.js';
import { readFirstAgentRow } from './first-agent-row.js';
import { redactJournal } from './redact-journal.js';
import { toEntries } from './to-entries.js';
import { toHeader } from './to-header.js';

/** The sessions that Harper's first agent left in the same table. The store of the engine does not know them. */
export interface FirstAgentSessions {
  find(id: string): Promise<FirstAgentRow | undefined>;
  /**
   * Turns the session into one of this agent's, in one commit. `false` when there is none of this id; rejects with a
   * `ConflictError` that says why when it cannot be understood, and leaves it as it is.
   */
  takeOver(id: string): Promise<boolean>;
  /** `false` when there is none of this id. */
  remove(id: string): Promise<boolean>;
}

/** Opens them; what is taken over is redacted first. */
export function createFirstAgentSessions(
  tables: SessionTables,
  queue: CommitQueue,
  redactor: Redactor,
): FirstAgentSessions {
  async function find(id: string): Promise<FirstAgentRow | undefined> {
    return readFirstAgentRow(await tables.sessions.get(id));
  }

  return {
    find,

    async takeOver(id) {
      const found = await find(id);
      if (found === undefined) return false;
      const entries = await redactJournal(
        toEntries(found, () => `msg_${randomUUID()}`),
        redactor,
      );
      const row = toSessionRow(
        toHeader(found, entries, `output-${randomBytes(6).toString('hex')}`),
        entries.length,
      );
      const items = entries.map((entry) => toItem(id, entry.seq, entry));
      await queue.commit({
        sessionId: id,
        takesFirstAgentRows: true,
        plan(current) {
          // Somebody else has taken it over meanwhile.
          if (current !== undefined) return { row: current, writes: [] };
          return { row, writes: items.map((item) => ({ table: tables.items, key: item.id, record: item })) };
        },
      });
      return true;
    },

    async remove(id) {
      if ((await find(id)) === undefined) return false;
      let removed = false;
      await queue.commit({
        sessionId: id,
        takesFirstAgentRows: true,
        plan(current) {
          removed = current === undefined;
          return { row: current, writes: removed ? [{ table: tables.sessions, key: id }] : [] };
        },
      });
      return removed;
    },
  };
}
