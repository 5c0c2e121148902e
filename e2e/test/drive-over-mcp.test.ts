import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentApi } from '../src/support/agent-api.js';
import type { McpClient } from '../src/support/open-mcp-client.js';
import { openMcpClient } from '../src/support/open-mcp-client.js';
import { startAgentHost } from '../src/support/start-agent-host.js';

const TOOLS = [
  'agent_prompt',
  'approve_agent_action',
  'cancel_agent_run',
  'get_agent_session',
  'list_agent_sessions',
];
const bob = { username: 'bob', password: 'bobs-password' };
const promptedSchema = z.object({ session_id: z.string() });
const codeSchema = z.object({ code: z.string() });

let host: EmbeddedHost;
let api: AgentApi;
let admin: McpClient;

beforeAll(async () => {
  host = await startAgentHost({
    model: new URL('models/scenarios.mjs', import.meta.url),
    config: { mcp: { operations: {} } },
    agent: { approvals: { insert: 'ask' } },
  });
  api = new AgentApi(host);
  await api.call('create_table', { database: 'data', table: 'note', primary_key: 'id' });
  await api.call('add_role', { role: 'reader', permission: { super_user: false } });
  await api.call('add_user', { ...bob, role: 'reader', active: true });
  admin = await openMcpClient(host, 'operations', host.admin);
}, 60_000);
afterAll(async () => {
  await admin.close();
  await host.stop();
}, 40_000);

const agentTools = (names: readonly string[]) => names.filter((name) => name.includes('agent')).toSorted();

describe('an MCP client', () => {
  it('drives the agent: prompts, follows, approves', async () => {
    expect(agentTools(await admin.listTools())).toEqual(TOOLS);
    const prompted = await admin.callTool('agent_prompt', { message: 'insert one' });
    const { session_id } = promptedSchema.parse(JSON.parse(prompted.text));
    const waiting = await api.untilAwaiting(session_id);
    const read = await admin.callTool('get_agent_session', { session_id });
    expect(JSON.parse(read.text)).toMatchObject({
      user: host.admin.username,
      status: 'awaiting_approval',
      pendingApprovals: [{ toolName: 'insert' }],
    });
    const approval_id = waiting.pendingApprovals[0]!.id;
    const approved = await admin.callTool('approve_agent_action', { session_id, approval_id });
    expect(JSON.parse(approved.text)).toMatchObject({ approved: true, by: host.admin.username });
    expect((await api.untilEnded(session_id)).status).toBe('completed');
    const again = await admin.callTool('approve_agent_action', { session_id, approval_id });
    expect(again.refused).toBe(true);
    expect(codeSchema.parse(JSON.parse(again.text)).code).toBe('already_resolved');
  });

  it('is not shown what configures the agent, and cannot call it', async () => {
    const refused = await admin.callTool('set_agent_config', { autoApprove: true });
    expect(refused.refused).toBe(true);
    expect(await api.call('set_agent_config')).toMatchObject({ autoApprove: false });
  });

  it('sees and moves nothing without being a super_user', async () => {
    const before = await api.list();
    const client = await openMcpClient(host, 'operations', bob);
    expect(agentTools(await client.listTools())).toEqual([]);
    for (const name of TOOLS) {
      const args = { message: 'say hello', session_id: 'ses_none', approval_id: 'apr_none' };
      expect((await client.callTool(name, args)).refused).toBe(true);
      expect((await client.callTool(name, { message: 'say hello' })).refused).toBe(true);
    }
    await client.close();
    expect(await api.list()).toEqual(before);
  });
});
