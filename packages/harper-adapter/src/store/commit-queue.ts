import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreConflictError } from '@harperfast/agent-core/contracts';
import type { HarperHost, HarperKey, HarperTable } from '../host.js';
import type { SessionRow } from './session-row.js';
import type { SessionTables } from './session-tables.js';
import { readFirstAgentRow } from './first-agent/first-agent-row.js';
import { readSessionRow } from './session-row.js';

/** One write; without a record it removes the key. */
export interface Write {
  readonly table: HarperTable;
  readonly key: HarperKey;
  readonly record?: object;
}

/**
 * A change to one session: looks at the session's row as it will be when the change commits and answers what to
 * write. What it throws rejects this change alone.
 */
export interface Change {
  readonly sessionId: string;
  /** A row of Harper's first agent is to be replaced, and counts as none; any other change leaves it alone. */
  readonly takesFirstAgentRows?: true;
  plan(row: SessionRow | undefined): {
    readonly row: SessionRow | undefined;
    readonly writes: readonly Write[];
  };
}

interface Waiting {
  readonly change: Change;
  resolve(): void;
  reject(error: unknown): void;
}

/** More would hold the thread for too long between two turns of the event loop. */
const MOST_CHANGES_A_COMMIT = 128;

/** Commits the changes of one tick, whatever their sessions, in one transaction. */
export interface CommitQueue {
  /** Resolves when the change is durable. */
  commit(change: Change): Promise<void>;
}

/**
 * Creates the queue. It is the only writer of these tables and has one commit open at a time, so what it reads
 * before a commit still holds when it commits.
 */
export function createCommitQueue(host: Pick<HarperHost, 'transaction'>, tables: SessionTables): CommitQueue {
  // A commit serves many callers, so it must not run in the context of the request that happened to come first.
  const inOwnContext = AsyncLocalStorage.snapshot();
  let waiting: Waiting[] = [];
  let busy = false;

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_CHANGES_A_COMMIT);
      waiting = waiting.slice(MOST_CHANGES_A_COMMIT);
      await commitBatch(batch);
    }
    busy = false;
  }

  async function readRow({ sessionId, takesFirstAgentRows }: Change): Promise<SessionRow | undefined> {
    const record = await tables.sessions.get(sessionId);
    const row = readSessionRow(record);
    if (row !== undefined || record === undefined || record === null) return row;
    if (takesFirstAgentRows === true && readFirstAgentRow(record) !== undefined) return undefined;
    throw new StoreConflictError(
      `The session ${sessionId} was stored by another version of the agent; this one leaves it alone`,
    );
  }

  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    const rows = new Map<string, SessionRow | undefined>();
    const accepted: Waiting[] = [];
    const writes: Write[] = [];
    for (const item of batch) {
      const { sessionId } = item.change;
      try {
        if (!rows.has(sessionId)) rows.set(sessionId, await readRow(item.change));
        const planned = item.change.plan(rows.get(sessionId));
        rows.set(sessionId, planned.row);
        writes.push(...planned.writes);
        accepted.push(item);
      } catch (error) {
        item.reject(error);
      }
    }
    if (accepted.length === 0) return;
    try {
      await host.transaction(async () => {
        await Promise.all(writes.map(applyWrite));
      });
      for (const item of accepted) item.resolve();
    } catch (error) {
      for (const item of accepted) item.reject(error);
    }
  }

  return {
    commit(change) {
      return new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject });
        if (busy) return;
        busy = true;
        // Not before the end of this turn of the event loop: what else happens in it shares the commit.
        inOwnContext(() => setImmediate(() => void commitAll()));
      });
    },
  };
}

function applyWrite({ table, key, record }: Write): unknown {
  return record === undefined ? table.delete(key) : table.put(key, record);
}
