import { answers, fails, reply } from '@harperfast/agent-testkit';
import type { ScriptStep } from '@harperfast/agent-testkit';
import { expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';
import { createFixture } from '../support/agent-fixture.js';

const SECRET = 'hunter2-4711';
const redactor = createRedactor({ values: () => [SECRET] });
const called = (call: unknown) => answers({ content: '', toolCalls: [call], finishReason: 'tool_calls' });

const WAYS: readonly (readonly [way: string, script: readonly ScriptStep[]])[] = [
  ['an error of the provider', [fails(new Error(`Incorrect API key provided: ${SECRET}`))]],
  ['the name of a tool', [called({ name: SECRET, arguments: {} }), reply('ok')]],
  ['arguments that are no JSON', [called({ name: 'look', arguments: SECRET }), reply('ok')]],
];

it.each(WAYS)('no secret comes into the journal or to the model through %s', async (_way, script) => {
  const { agent, quiet, model } = createFixture(script, { redactor });
  const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
  const session = await quiet(sessionId);
  model.assertDone();
  const seen = JSON.stringify([session, await agent.list(), model.requests]);
  // A parser quotes the first characters of what it cannot read.
  expect(seen).not.toContain(SECRET.slice(0, 8));
});

it('keeps of a page that comes as an error what a person reads', async () => {
  const { agent, quiet } = createFixture([fails(new Error('<p>'.repeat(100_000)))]);
  const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
  expect((await quiet(sessionId)).header.lastError?.message.length).toBeLessThan(5_000);
});
