import type { SessionStore } from '@harperfast/agent-core/contracts';
import { describeChecks } from './check.js';
import type { CheckGroup } from './check.js';
import { appendChecks } from './session-store/append-checks.js';
import { conflictChecks } from './session-store/conflict-checks.js';
import { createChecks } from './session-store/create-checks.js';
import { deleteChecks } from './session-store/delete-checks.js';
import { isolationChecks } from './session-store/isolation-checks.js';
import { listChecks } from './session-store/list-checks.js';
import { readChecks } from './session-store/read-checks.js';
import { reopenChecks } from './session-store/reopen-checks.js';
import { valueChecks } from './session-store/value-checks.js';

/** A store under test: empty when it is opened. */
export interface OpenedStore {
  readonly store: SessionStore;
  /** Closes what is open and opens the same data again, as the next process would; leave it out where there is none. */
  reopen?(): Promise<SessionStore>;
  /** Closes whatever is open then, and removes the data. */
  close(): Promise<void>;
}

/**
 * What `describeSessionStore` registers as tests, for where no test runner is, such as inside a server: each check takes a
 * store that is new and empty, rejects where it does not keep its contract, and leaves the closing to the caller.
 */
export const sessionStoreChecks: readonly CheckGroup<OpenedStore>[] = [
  { title: 'create', checks: createChecks },
  { title: 'append', checks: appendChecks },
  { title: 'conflict', checks: conflictChecks },
  { title: 'values', checks: valueChecks },
  { title: 'read', checks: readChecks },
  { title: 'list', checks: listChecks },
  { title: 'delete', checks: deleteChecks },
  { title: 'isolation', checks: isolationChecks },
  { title: 'reopen', checks: reopenChecks },
];

/** Checks that a `SessionStore` keeps its contract. `open` is called for every test. */
export function describeSessionStore(name: string, open: () => Promise<OpenedStore>): void {
  describeChecks(name, sessionStoreChecks, open, (opened) => opened.close());
}
