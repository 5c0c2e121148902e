import { expect, it } from 'vitest';
import { runInspector } from '../../src/soak/inspector/run-inspector.js';
import { runOnHost } from '../../src/soak/inspector/run-on-host.js';

it('leaves no worker paused and no request unanswered, whatever happens in whatever state', async () => {
  const report = await runInspector({ times: 20, seed: 20 });
  expect(report.rounds).toBe(20);
  expect(report.hits).toBeGreaterThan(20);
  expect(report.updates).toBeGreaterThan(1000);
}, 120_000);

it('leaves no request to the workers of a host unanswered', async () => {
  const report = await runOnHost({ times: 4 });
  expect(report.rounds).toBe(4);
  expect(report.requests).toBeGreaterThan(160);
}, 120_000);
