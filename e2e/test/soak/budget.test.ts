import { expect, it } from 'vitest';
import { simulateBudgets } from '../../src/soak/budget/simulate-budgets.js';

it('keeps every cap to the micro-dollar, for any prices, usages and concurrency', async () => {
  const report = await simulateBudgets({ sessions: 2_000, seed: 1 });
  expect(report.sessions).toBe(2_000);
  expect(report.calls).toBeGreaterThan(2_000);
  expect(report.overruns).toBeGreaterThan(0);
  expect(report.refused).toBeGreaterThan(0);
}, 60_000);
