import type { FollowupStore } from '@harperfast/agent-core/contracts';
import { describeChecks } from './check.js';
import type { CheckGroup } from './check.js';
import { changeChecks } from './followup-store/change-checks.js';
import { claimChecks } from './followup-store/claim-checks.js';
import { keepingChecks } from './followup-store/keeping-checks.js';

/** A store under test: empty when it is opened. */
export interface OpenedFollowupStore {
  readonly store: FollowupStore;
  /** Closes what is open and opens the same data again, as the next process would; leave it out where there is none. */
  reopen?(): Promise<FollowupStore>;
  /** Closes whatever is open then, and removes the data. */
  close(): Promise<void>;
}

/**
 * What `describeFollowupStore` registers as tests, for where no test runner is, such as inside a server: each check takes a
 * store that is new and empty, rejects where it does not keep its contract, and leaves the closing to the caller.
 */
export const followupStoreChecks: readonly CheckGroup<OpenedFollowupStore>[] = [
  { title: 'keeping', checks: keepingChecks },
  { title: 'changing', checks: changeChecks },
  { title: 'claiming', checks: claimChecks },
];

/** Checks that a `FollowupStore` keeps its contract. `open` is called for every test. */
export function describeFollowupStore(name: string, open: () => Promise<OpenedFollowupStore>): void {
  describeChecks(name, followupStoreChecks, open, (opened) => opened.close());
}
