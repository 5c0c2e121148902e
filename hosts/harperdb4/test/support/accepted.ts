import { describe } from 'vitest';

const ACCEPTED = process.env['HARPERDB_EULA'] === 'accept';

/** As `describe`, for tests that run on HarperDB itself: skipped, and saying why, where its licence was not accepted. */
export function describeOnHarperDb(name: string, tests: () => void): void {
  const title = ACCEPTED ? name : `${name} (skipped: it runs HarperDB 4.7, which needs HARPERDB_EULA=accept)`;
  describe.skipIf(!ACCEPTED)(title, () => {
    tests();
  });
}
