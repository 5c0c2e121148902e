import { calls, faulty, holdNth, reply } from '@harperfast/agent-testkit';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/index.js';
import { createFixture, recordingTool } from '../support/agent-fixture.js';

it('nobody hears that an approval was decided before the decision is durable', async () => {
  const { tool } = recordingTool('save', 'write');
  // Prompt, round, ask, and then the decision.
  const held = holdNth(4);
  const store = faulty(createMemoryStore(), { append: held.fault });
  const settings = { approvals: { save: 'ask' as const } };
  const { agent, quiet } = createFixture([calls({ name: 'save', arguments: {} }), reply('ok')], {
    store,
    settings,
    tools: [tool],
  });
  const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
  const { pendingApprovals } = await quiet(sessionId);
  const decide = () =>
    agent.approve({ sessionId, approvalId: pendingApprovals[0]!.approvalId, approved: true, by: 'ann' });
  const order: string[] = [];
  const first = decide().then(() => order.push('approved'));
  await held.arrived;
  const second = decide().catch((error: unknown) => {
    order.push('refused');
    throw error;
  });
  second.catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  held.release();
  await first;
  await expect(second).rejects.toMatchObject({ statusCode: 409, code: 'already_resolved' });
  expect(order).toEqual(['approved', 'refused']);
});
