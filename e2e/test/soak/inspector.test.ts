import { expect, it } from 'vitest';
import { runInspector } from '../../src/soak/inspector/run-inspector.js';

it('leaves no worker paused and no request unanswered, whatever happens in whatever state', async () => {
  const report = await runInspector({ times: 20, seed: 20 });
  expect(report.rounds).toBe(20);
  expect(report.hits).toBeGreaterThan(20);
  expect(report.updates).toBeGreaterThan(1000);
}, 120_000);
