import { expect } from 'vitest';
import type { HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';

const BEFORE = [{ id: 'a', state: 'before' }, null];
const AFTER = [{ id: 'a', state: 'after' }, { id: 'b' }];
const FAILED = { error: { message: 'not this time' } };

export const transactionChecks: readonly HarperHostCheck[] = [
  {
    name: 'commits all writes that are handed the context of a transaction, over several tables, when its work resolves',
    async run(bench) {
      expect(await transact(bench, 'probe_committed', { handed: true, fails: false })).toEqual([
        { value: null },
        AFTER,
      ]);
    },
  },
  {
    name: 'commits no write that is handed the context of a transaction whose work rejects, with the same error',
    async run(bench) {
      expect(await transact(bench, 'probe_aborted', { handed: true, fails: true })).toEqual([FAILED, BEFORE]);
    },
  },
  {
    name: 'commits all writes that are made while the work of a transaction runs, when that resolves',
    async run(bench) {
      expect(await transact(bench, 'probe_around', { handed: false, fails: false })).toEqual([
        { value: null },
        AFTER,
      ]);
    },
  },
  {
    name: 'commits no write that is made while the work of a transaction runs, when that rejects',
    async run(bench) {
      expect(await transact(bench, 'probe_around_aborted', { handed: false, fails: true })).toEqual([
        FAILED,
        BEFORE,
      ]);
    },
  },
];

interface Transacting {
  /** Whether each write is handed the context of the transaction, or is merely made within its work. */
  readonly handed: boolean;
  readonly fails: boolean;
}

/** Changes one table and adds to another in a transaction; resolves with how that ended, and what is in the two. */
function transact(bench: HarperHostBench, name: string, how: Transacting): Promise<unknown> {
  return bench.main(
    async (here, prefix: string, { handed, fails }: Transacting) => {
      const [one, two] = [here.table(`${prefix}_one`), here.table(`${prefix}_two`)];
      await one.put('a', { id: 'a', state: 'before' });
      const context = {};
      const given = handed ? [context] : [];
      const outcome = await here.attempt(() =>
        here.transaction(context, async () => {
          await one.put('a', { id: 'a', state: 'after' }, ...given);
          await two.put('b', { id: 'b' }, ...given);
          if (fails) throw new Error('not this time');
        }),
      );
      return [outcome, [here.plain(await one.get('a')), here.plain(await two.get('b'))]];
    },
    name,
    how,
  );
}
