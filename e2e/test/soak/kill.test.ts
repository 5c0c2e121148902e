import { expect, it } from 'vitest';
import { runKills } from '../../src/soak/kill/run-kills.js';

it('does nothing twice and loses nothing when the host is killed at random instants', async () => {
  const report = await runKills({ times: 20, seed: 20 });
  expect(report.kills).toBe(20);
  expect(report.effects).toBeGreaterThan(20);
}, 180_000);
