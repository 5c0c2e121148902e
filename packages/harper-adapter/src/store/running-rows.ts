import type { SessionRow } from './session-row.js';

/**
 * How far the row of a running session may lag behind its items, in milliseconds between two changes. A row says
 * nothing that its items do not, and each write of it moves three indexes.
 */
const MOST_LAG_MS = 1_000;

/** The rows of running sessions as their items have them: what the table has of them may be older. */
export interface RunningRows {
  get(id: string): SessionRow | undefined;
  /** Whether the table can do without this row for now. */
  mayLag(row: SessionRow): boolean;
  /** Keeps what was committed, while the session runs; `written` says whether the table has it. */
  keep(id: string, row: SessionRow | undefined, written: boolean): void;
  /** Nothing is known of the session any more: the tables tell. */
  forget(id: string): void;
  /** The sessions whose row in the table is older than their items. */
  lagging(): readonly string[];
}

export function createRunningRows(): RunningRows {
  const rows = new Map<string, { readonly row: SessionRow; readonly inTable: SessionRow }>();
  return {
    get: (id) => rows.get(id)?.row,
    mayLag(row) {
      const known = rows.get(row.session_id);
      if (known === undefined || row.status !== 'running') return false;
      // A clock may be set back.
      return Math.abs(row.updatedAt - known.inTable.updatedAt) < MOST_LAG_MS;
    },
    keep(id, row, written) {
      const inTable = written ? row : rows.get(id)?.inTable;
      if (row?.status === 'running' && inTable !== undefined) rows.set(id, { row, inTable });
      else rows.delete(id);
    },
    forget: (id) => void rows.delete(id),
    lagging: () => [...rows].filter(([, { row, inTable }]) => row !== inTable).map(([id]) => id),
  };
}
