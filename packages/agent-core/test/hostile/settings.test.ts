import { hangs } from '@harperfast/agent-testkit';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/index.js';
import { createFixture } from '../support/agent-fixture.js';

it('raising maxConcurrentRuns starts the runs that wait', async () => {
  const { agent, model } = createFixture(() => hangs(), { settings: { maxConcurrentRuns: 1 } });
  for (const message of ['one', 'two', 'three']) await agent.prompt({ message, by: 'ann' });
  await model.requested(1);
  agent.setConfig({ maxConcurrentRuns: 2 }, 'ann');
  await model.requested(2);
  expect(model.requestCount).toBe(2);
  await agent.close();
});

it('a time longer than a timer of Node can be is not over at once', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  const fired: number[] = [];
  const cancels = [2 ** 31, 2 ** 53].map((ms) => systemClock.setTimer(ms, () => void fired.push(ms)));
  await new Promise<void>((resolve) => systemClock.setTimer(20, resolve));
  for (const cancel of cancels) cancel();
  process.off('warning', note);
  expect({ fired, warnings }).toEqual({ fired: [], warnings: [] });
});
