import { expect, it } from 'vitest';
import { growthExponent, measureGrowth } from '../../src/soak/growth/measure-growth.js';

it('writes as much in the 2,000th turn of a session as in the first', async () => {
  const [short, long] = await measureGrowth([200, 2_000]);
  if (short === undefined || long === undefined) throw new Error('Nothing was measured');
  const exponent = (of: 'bytes' | 'appends') =>
    growthExponent([short.turns, short[of]], [long.turns, long[of]]);
  expect(exponent('bytes')).toBeLessThanOrEqual(1.05);
  expect(exponent('bytes')).toBeGreaterThan(0.9);
  expect(exponent('appends')).toBeLessThanOrEqual(1.001);
  // A live session is never read again.
  expect(long.entriesRead).toBe(0);
}, 30_000);
