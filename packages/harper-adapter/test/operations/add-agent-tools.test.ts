import { ScriptedModel, calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { user } from '../support/fake-server.js';
import { createFakeRegistry } from '../support/fake-registry.js';
import { startAgent } from '../support/start-agent.js';

const TOOLS = [
  'agent_prompt',
  'get_agent_session',
  'list_agent_sessions',
  'approve_agent_action',
  'cancel_agent_run',
];
const alice = user('alice');
const agentUser = user('hdb_agent');

async function start(model = new ScriptedModel([]), block: object = {}) {
  const registry = createFakeRegistry();
  const started = await startAgent(model, block, {
    prepare: async (host) => void Object.assign(host, { registry }),
  });
  return { ...started, registry };
}

const toldBy = (text: string | undefined): unknown => JSON.parse(text ?? '');

describe('the MCP tools that drive the agent', () => {
  it('are these five, with hints and schemas, and never its configuration', async () => {
    const { registry } = await start();
    expect([...registry.tools.keys()]).toEqual(TOOLS);
    expect([...registry.tools.values()].map(({ annotations }) => annotations)).toEqual([
      { readOnlyHint: false, destructiveHint: true },
      { readOnlyHint: true },
      { readOnlyHint: true },
      { readOnlyHint: false, destructiveHint: true },
      { readOnlyHint: false, destructiveHint: true },
    ]);
    for (const { inputSchema, profile, description } of registry.tools.values()) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(profile).toBe('operations');
      expect(description).not.toBe('');
    }
  });

  it.each([
    ['a super_user', alice, true],
    ['the agent itself', agentUser, false],
    ['somebody else', user('bob', { super_user: false, operations: TOOLS }), false],
    [
      'a super_user whose role does not list them',
      user('carol', { super_user: true, operations: [] }),
      false,
    ],
    ['a super_user whose role lists them', user('dora', { super_user: true, operations: TOOLS }), true],
    ['nobody', {}, false],
  ])('are shown to %s: %j %s', async (_who, who, shown) => {
    const { registry } = await start();
    const visible = registry.listProfileTools('operations').filter((tool) => tool.visibleTo(who));
    expect(visible).toHaveLength(shown ? TOOLS.length : 0);
  });

  it('prompt, read, list and approve as the user who is signed in, through the permission check', async () => {
    const model = new ScriptedModel([
      calls({ name: 'drop_table', arguments: { table: 'dog' } }),
      reply('Dropped.'),
    ]);
    const { registry, host, settled } = await start(model, { allowDestructive: true });
    const prompted = await registry.call('agent_prompt', { message: 'drop the dogs' }, alice);
    expect(prompted.isError).toBeUndefined();
    expect(toldBy(prompted.content[0]?.text)).toEqual(prompted.structuredContent);
    const session_id = prompted.structuredContent?.['session_id'];
    await settled(session_id);
    const read = await registry.call('get_agent_session', { session_id }, alice);
    expect(read.structuredContent).toMatchObject({ user: 'alice', status: 'awaiting_approval' });
    const listed = await registry.call('list_agent_sessions', { status: 'awaiting_approval' }, alice);
    expect(listed.structuredContent).toMatchObject({ sessions: [{ session_id }] });
    const [{ id: approval_id }] = Object(read.structuredContent)['pendingApprovals'];
    const approved = await registry.call('approve_agent_action', { session_id, approval_id }, alice);
    expect(approved.structuredContent).toMatchObject({ approved: true, by: 'alice' });
    await settled(session_id);
    const cancelled = await registry.call('cancel_agent_run', { session_id }, alice);
    expect(cancelled.structuredContent).toMatchObject({ cancelled: false });
    const driven = host.server.calls.filter(({ body }) => TOOLS.includes(String(body['operation'])));
    expect(driven.map(({ authorize }) => authorize)).toEqual([true, true, true, true, true]);
  });

  it.each(TOOLS)('refuse %s to the agent user with self_approval, and to others with 403', async (name) => {
    const { registry } = await start();
    const args = { message: 'x', session_id: 'x', approval_id: 'x' };
    const schema: { properties: object } = Object(registry.tools.get(name)?.inputSchema);
    const given = Object.fromEntries(
      Object.entries(args).filter(([key]) => Object.hasOwn(schema.properties, key)),
    );
    const own = await registry.call(name, given, agentUser);
    expect(own.isError).toBe(true);
    expect(toldBy(own.content[0]?.text)).toMatchObject({ operation: name, code: 'self_approval' });
    const bob = await registry.call(name, given, user('bob', { super_user: false }));
    expect(bob).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('not authorized') }],
    });
  });

  it.each([
    { operation: 'set_agent_config', message: 'x' },
    { hdb_user: alice, message: 'x' },
    { bypass_auth: true, message: 'x' },
    { message: '' },
    undefined,
    'text',
  ])('take nothing but their own parameters: %j', async (args) => {
    const { registry, host } = await start();
    const refused = await registry.call('agent_prompt', args, alice);
    expect(refused.isError).toBe(true);
    expect(toldBy(refused.content[0]?.text)).toMatchObject({ kind: 'harper_error', code: 'invalid_request' });
    expect(host.server.calls.filter(({ body }) => body['operation'] === 'agent_prompt')).toEqual([]);
  });

  it('are gone when the agent is', async () => {
    const { registry, agent } = await start();
    await agent.close();
    expect(registry.tools.size).toBe(0);
  });
});
