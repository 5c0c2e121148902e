import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HarperHostBench } from './harper-host/bench.js';
import { applicationChecks } from './harper-host/application-checks.js';
import { componentChecks } from './harper-host/component-checks.js';
import { durabilityChecks } from './harper-host/durability-checks.js';
import {
  deadlineOf,
  runHarperHostCheck,
  type HarperHostCheck,
  type HarperHostDifferences,
} from './harper-host/harper-host-check.js';
import type { StartHarperHost } from './harper-host/harper-host.js';
import { httpChecks } from './harper-host/http-checks.js';
import { inProcessChecks } from './harper-host/in-process-checks.js';
import { inspectorChecks } from './harper-host/inspector-checks.js';
import { logChecks } from './harper-host/log-checks.js';
import { rangeChecks } from './harper-host/range-checks.js';
import { registeredOperationChecks } from './harper-host/registered-operation-checks.js';
import { restartChecks } from './harper-host/restart-checks.js';
import { tableChecks } from './harper-host/table-checks.js';
import { transactionChecks } from './harper-host/transaction-checks.js';
import { userChecks } from './harper-host/user-checks.js';
import { workerChecks } from './harper-host/worker-checks.js';

const BOOT_MS = 240_000;
/** What a test may take beyond its check's own deadline, which is to be the one that is heard of. */
const MARGIN_MS = 5_000;

/** Everything the suite checks, in the order in which it has to: the hooks first, SIGKILL and restart last. */
export const harperHostChecks: readonly {
  readonly title: string;
  readonly checks: readonly HarperHostCheck[];
}[] = [
  { title: 'components', checks: componentChecks },
  { title: 'registered operations', checks: registeredOperationChecks },
  { title: 'tables', checks: tableChecks },
  { title: 'ranges', checks: rangeChecks },
  { title: 'transactions', checks: transactionChecks },
  { title: 'operations in process', checks: inProcessChecks },
  { title: 'operations over HTTP', checks: httpChecks },
  { title: 'users and roles', checks: userChecks },
  { title: 'paths and log', checks: logChecks },
  { title: 'applications', checks: applicationChecks },
  { title: 'workers', checks: workerChecks },
  { title: 'inspectors', checks: inspectorChecks },
  { title: 'durability', checks: durabilityChecks },
  { title: 'restart', checks: restartChecks },
];

export interface HarperHostSuiteOptions {
  /** What this host does otherwise, by the name of the check, with the reason; such a check has to fail. */
  readonly differences?: HarperHostDifferences;
}

/**
 * Checks that a server is, for a built-in component, what Harper 5 is. One host is started for all checks; the suite
 * brings its own components, and looks inside by one of them alone.
 */
export function describeHarperHost(
  name: string,
  start: StartHarperHost,
  { differences = {} }: HarperHostSuiteOptions = {},
): void {
  describe(name, () => {
    let bench: HarperHostBench;
    beforeAll(async () => {
      bench = await HarperHostBench.open(start);
    }, BOOT_MS);
    afterAll(() => bench?.close(), BOOT_MS);

    for (const { title, checks } of harperHostChecks) {
      describe(title, () => {
        for (const check of checks) {
          const difference = differences[check.name];
          const sentence = difference === undefined ? check.name : `${check.name} (not here: ${difference})`;
          it(sentence, () => runHarperHostCheck(check, bench, difference), deadlineOf(check) + MARGIN_MS);
        }
      });
    }

    it('is listed with differences of checks there are', () => {
      const names = harperHostChecks.flatMap(({ checks }) => checks.map((check) => check.name));
      expect(Object.keys(differences).filter((listed) => !names.includes(listed))).toEqual([]);
    });
  });
}
