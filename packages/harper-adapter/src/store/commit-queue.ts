import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreConflictError } from '@harperfast/agent-core/contracts';
import type { HarperContext, HarperHost, HarperKey, HarperTable } from '../host.js';
import type { SessionRow } from './session-row.js';
import type { SessionTables } from './session-tables.js';
import { readFirstAgentRow } from './first-agent/first-agent-row.js';
import { createRunningRows } from './running-rows.js';
import { upToDate } from './up-to-date.js';
import { readSessionRow } from './session-row.js';

/** One write; without a record it removes the key. */
export interface Write {
  readonly table: HarperTable;
  readonly key: HarperKey;
  readonly record?: object;
}

/**
 * A change to one session: looks at the session's row as it will be when the change commits and answers the row after
 * it, `undefined` to remove it, and what to write besides. What it throws rejects this change alone.
 */
export interface Change {
  readonly sessionId: string;
  /** A row of Harper's first agent is to be replaced, and counts as none; any other change leaves it alone. */
  readonly takesFirstAgentRows?: true;
  /** The table gets the row even where it might lag behind. */
  readonly writesRow?: true;
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
  /** Brings the rows of running sessions, which may lag behind their items, up to date in the table. */
  writeRows(): Promise<void>;
}

/**
 * Creates the queue. It is the only writer of these tables and has one commit open at a time, so what it reads
 * before a commit still holds when it commits.
 */
export function createCommitQueue(host: Pick<HarperHost, 'transaction'>, tables: SessionTables): CommitQueue {
  // A commit serves many callers, so it must not run in the context of the request that happened to come first.
  const inOwnContext = AsyncLocalStorage.snapshot();
  const running = createRunningRows();
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
    const known = running.get(sessionId);
    if (known !== undefined) return known;
    const record = await tables.sessions.get(sessionId);
    const row = readSessionRow(record);
    if (row !== undefined) return upToDate(tables, row);
    if (record === undefined || record === null) return undefined;
    if (takesFirstAgentRows === true && readFirstAgentRow(record) !== undefined) return undefined;
    throw new StoreConflictError(
      `The session ${sessionId} was stored by another version of the agent; this one leaves it alone`,
    );
  }

  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    const rows = new Map<string, PlannedRow>();
    const accepted: Waiting[] = [];
    const writes: Write[] = [];
    for (const item of batch) {
      const { sessionId, writesRow = false } = item.change;
      try {
        const before = rows.get(sessionId) ?? unchanged(await readRow(item.change));
        const planned = item.change.plan(before.after);
        rows.set(sessionId, { ...before, after: planned.row, forced: before.forced || writesRow });
        writes.push(...planned.writes);
        accepted.push(item);
      } catch (error) {
        item.reject(error);
      }
    }
    if (accepted.length === 0) return;
    const written = new Map([...rows].filter(([, row]) => isToWrite(row)));
    for (const [key, { after }] of written)
      writes.push({ table: tables.sessions, key, ...(after === undefined ? {} : { record: after }) });
    try {
      await host.transaction(async (context) => {
        await Promise.all(writes.map((write) => applyWrite(write, context)));
      });
      for (const [id, { after }] of rows) running.keep(id, after, written.has(id));
      for (const item of accepted) item.resolve();
    } catch (error) {
      for (const id of rows.keys()) running.forget(id);
      for (const item of accepted) item.reject(error);
    }
  }

  function isToWrite({ before, after, forced }: PlannedRow): boolean {
    return after === undefined
      ? before !== undefined
      : forced || (after !== before && !running.mayLag(after));
  }

  function commit(change: Change): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ change, resolve, reject });
      if (busy) return;
      busy = true;
      // Not before the end of this turn of the event loop: what else happens in it shares the commit.
      inOwnContext(() => setImmediate(() => void commitAll()));
    });
  }

  return {
    commit,
    async writeRows() {
      const write = (sessionId: string) =>
        commit({ sessionId, writesRow: true, plan: (row) => ({ row, writes: [] }) });
      await Promise.all(running.lagging().map(write));
    },
  };
}

/** A session's row before a commit, and as the changes in it leave it. */
interface PlannedRow {
  readonly before: SessionRow | undefined;
  readonly after: SessionRow | undefined;
  readonly forced: boolean;
}

function unchanged(row: SessionRow | undefined): PlannedRow {
  return { before: row, after: row, forced: false };
}

function applyWrite({ table, key, record }: Write, context: HarperContext): unknown {
  return record === undefined ? table.delete(key, context) : table.put(key, record, context);
}
