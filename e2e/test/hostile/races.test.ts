import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentApi } from '../../src/support/agent-api.js';
import { callsOf } from '../../src/support/session-answer.js';
import { startAgentHost } from '../../src/support/start-agent-host.js';

let host: EmbeddedHost;
let api: AgentApi;

beforeAll(async () => {
  host = await startAgentHost({
    model: new URL('../models/hostile.mjs', import.meta.url),
    agent: { approvals: { insert: 'ask' } },
  });
  api = new AgentApi(host);
  await api.call('create_table', { database: 'data', table: 'note', primary_key: 'id' });
}, 40_000);
afterAll(() => host.stop(), 40_000);

async function rowsWith(text: string): Promise<unknown> {
  return api.call('search_by_value', { database: 'data', table: 'note', attribute: 'text', value: text });
}

/** A session whose insert waits, and what a client can do to it. */
async function waitingInsert(text: string) {
  const { session_id } = await api.prompt(text);
  const { pendingApprovals } = await api.untilAwaiting(session_id);
  const approval_id = pendingApprovals[0]!.id;
  const send = (operation: string, fields: object) => api.send(operation, { session_id, ...fields });
  return {
    session_id,
    approve: () => send('approve_agent_action', { approval_id }),
    deny: () => send('approve_agent_action', { approval_id, approved: false }),
    cancel: () => send('cancel_agent_run', {}),
    prompt: () => send('agent_prompt', { message: 'and then' }),
  };
}

it('of four decisions at once over four connections one counts', async () => {
  const text = 'insert four';
  const { session_id, approve, deny } = await waitingInsert(text);
  const answers = await Promise.all([approve(), approve(), deny(), approve()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  const [call] = callsOf(await api.untilEnded(session_id));
  expect(['ok', 'denied']).toContain(call?.outcome);
  expect(await rowsWith(text)).toHaveLength(call?.outcome === 'ok' ? 1 : 0);
});

it.each([
  ['prompt', 'approve', 'cancel'],
  ['approve', 'cancel', 'prompt'],
  ['cancel', 'approve', 'prompt'],
  ['cancel', 'prompt', 'approve'],
] as const)('%s, %s and %s at once come to one outcome', async (...order) => {
  const text = `insert ${order.join(' ')}`;
  const session = await waitingInsert(text);
  const answers = await Promise.all(
    order.map(async (what) => [what, (await session[what]()).status] as const),
  );
  const status = Object.fromEntries(answers);
  expect(status).toMatchObject({ prompt: 200, cancel: 200 });
  expect([200, 409]).toContain(status.approve);
  const ended = await api.untilEnded(session.session_id);
  const [call] = callsOf(ended);
  const rows = await rowsWith(text);
  const outcome = {
    approve: status.approve,
    call: call?.outcome,
    rows: Array.isArray(rows) ? rows.length : rows,
  };
  // What was refused never ran; what was approved may be cut off by the cancel, before it starts or while it runs.
  expect([
    { approve: 409, call: 'cancelled', rows: 0 },
    { approve: 200, call: 'cancelled', rows: 0 },
    { approve: 200, call: 'ok', rows: 1 },
    { approve: 200, call: 'unknown', rows: 0 },
    { approve: 200, call: 'unknown', rows: 1 },
  ]).toContainEqual(outcome);
  expect(ended.messages.filter(({ content }) => content === 'and then')).toHaveLength(1);
});
