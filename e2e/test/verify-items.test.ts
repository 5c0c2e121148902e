import { describe, expect, it } from 'vitest';
import { ALL_ITEMS } from '../src/items/all-items.js';
import { isPlanned } from '../src/items/item.js';
import { Ledger } from '../src/support/ledger.js';

const ledger = new Ledger();
const runnable = ALL_ITEMS.flatMap((item) => (isPlanned(item) ? [] : [item]));

describe('the items of npm run verify', () => {
  it.each(runnable)(
    '$name holds',
    async (item) => {
      await expect(item.run(ledger)).resolves.toEqual(expect.any(String));
    },
    60_000,
  );

  it('leaves out only what does not exist yet', () => {
    expect(ALL_ITEMS.filter(isPlanned).map(({ name }) => name)).toEqual([]);
  });
});
