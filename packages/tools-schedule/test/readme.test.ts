import { readFile } from 'node:fs/promises';
import * as core from '@harperfast/agent-core';
import { calls, createFakeClock, reply, scriptedGateway, ScriptedModel } from '@harperfast/agent-testkit';
import { expect, it, onTestFinished } from 'vitest';
import * as pack from '../src/index.js';

it('the example of the README runs: it schedules, and comes back', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  expect(example).toContain("from '@harperfast/agent-tools-schedule';");
  const body = example.replace(/^import .*$/gm, '').replace('systemClock as clock', '');
  const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor;
  const names = ['createAgent', 'clock', ...Object.keys(pack), 'rest'];
  const run = new AsyncFunction(...names, `${body}\nreturn { agent, provider };`);

  const later = { name: 'schedule_followup', arguments: { prompt: 'look again', in: '10s' } };
  const clock = createFakeClock();
  const rest = {
    clock,
    store: core.createMemoryStore(),
    gateway: scriptedGateway(new ScriptedModel([calls(later), reply('I will'), reply('seen')])),
    caller: { user: 'hdb_agent' },
    systemPrompt: () => 'You are a test.',
    prices: { price: () => ({ input: 0, output: 0 }) },
  };
  const made: { agent: core.Agent; provider: pack.ScheduleTools } = await run(
    core.createAgent,
    clock,
    ...Object.values(pack),
    rest,
  );
  onTestFinished(() => made.agent.close());
  const tools = await made.provider.tools({ user: 'hdb_agent' });
  expect(tools.map(({ name }) => name)).toEqual([
    'schedule_followup',
    'list_followups',
    'cancel_followup',
    'alert_operator',
  ]);
  const { sessionId } = await made.agent.prompt({ message: 'start', by: 'ann' });
  await clock.advance(10_000);
  const { entries } = await made.agent.get(sessionId);
  expect(entries.filter(({ kind }) => kind === 'prompt')).toHaveLength(2);
  expect(entries.at(-1)).toMatchObject({ kind: 'end', reason: 'answered' });
});
