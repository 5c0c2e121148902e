import { expect, it } from 'vitest';
import { runModel } from '../../src/soak/model/run-model.js';

it('keeps the promises through random sequences of commands, crashes and faults', async () => {
  const report = await runModel({ times: 300, seed: 20_261_130 });
  expect(report.sequences).toBe(300);
  // A play in which nothing happened would prove nothing.
  for (const kind of [
    'ask',
    'decision',
    'start',
    'summary',
    'result ok',
    'result unknown',
    'result denied',
    'end cancelled',
    'end interrupted',
    'end budget',
  ]) {
    expect({ kind, seen: (report.kinds[kind] ?? 0) > 0 }).toEqual({ kind, seen: true });
  }
  expect(report.prefixes).toBeGreaterThan(100);
}, 120_000);
