import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentApi } from '../src/support/agent-api.js';
import { AGENT_OPERATIONS } from '../src/support/agent-operations.js';
import { onBothProfiles } from '../src/support/open-mcp-client.js';
import { callsOf } from '../src/support/session-answer.js';
import type { SessionAnswer } from '../src/support/session-answer.js';
import { startAgentHost } from '../src/support/start-agent-host.js';
import { STUB_MODEL } from './support/stub-model.js';

interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const AGENT_USER = { username: 'hdb_agent', password: 'known-now-1' };
/** What waits for an approval that the agent tries to give itself. */
const GATED: Call = { name: 'create_table', arguments: { table: 'gated', primary_key: 'id' } };
/** Names that a model, or a client that renames tools, might try for an operation. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => ` ${name}`,
  (name) => `operations_${name}`,
  (name) => `operations.${name}`,
  (name) => `mcp__harper__${name}`,
  (name) => `${name}_2`,
];

let host: EmbeddedHost;
let api: AgentApi;
let waiting: SessionAnswer;

// Nothing asks by itself here, everything is on offer, and the operator's MCP list holds every operation.
beforeAll(async () => {
  host = await startAgentHost({
    model: STUB_MODEL,
    config: { mcp: { operations: { allow: ['*'] }, application: {} } },
    agent: {
      autoApprove: true,
      allowDestructive: true,
      approvals: { create_table: 'ask' },
      tools: ['inspector'],
      operations: { allow: ['*'] },
    },
  });
  api = new AgentApi(host);
  await api.call('alter_user', AGENT_USER);
  const { session_id } = await api.prompt(`call ${JSON.stringify([[GATED]])}`);
  waiting = await api.untilAwaiting(session_id);
}, 60_000);
afterAll(() => host.stop(), 40_000);

/** What the operations could move: the waiting session, the settings, the sessions there are. */
async function state(exceptSession?: string): Promise<unknown> {
  const { sessions } = await api.list();
  return {
    waiting: await api.session(waiting.session_id),
    config: await api.call('set_agent_config', {}),
    sessions: sessions.map(({ session_id }) => session_id).filter((id) => id !== exceptSession),
    tables: await api.call('describe_database', { database: 'data' }),
  };
}

/** Whatever was attempted, nothing has moved; `attempt` resolves with the session that it took place in, if any. */
async function expectUnmoved(attempt: () => Promise<string | undefined>): Promise<void> {
  const before = await state();
  const session = await attempt();
  expect(await state(session)).toEqual(before);
}

/** Has the model make these calls, a list a round; resolves with what came of each, with those of the session before. */
async function callAll(rounds: readonly (readonly Call[])[], session?: string) {
  const message = `call ${JSON.stringify(rounds)}`;
  const { session_id } = await api.prompt(message, session === undefined ? {} : { session_id: session });
  const ended = await api.untilEnded(session_id);
  expect(ended).toMatchObject({ status: 'completed', lastError: null });
  return { session_id, seen: callsOf(ended) };
}

/** Every operation of the agent, aimed at what waits. */
function aimed(): readonly (readonly [name: string, fields: Readonly<Record<string, unknown>>])[] {
  const { session_id, pendingApprovals } = waiting;
  return AGENT_OPERATIONS.map(([name, fields]) => [
    name,
    {
      ...fields,
      ...('session_id' in fields ? { session_id } : {}),
      ...('approval_id' in fields ? { approval_id: pendingApprovals[0]?.id, approved: true } : {}),
      ...(name === 'set_agent_config' ? { maxTurns: 3, approvals: {} } : {}),
    },
  ]);
}

describe('the operations of the agent, tried by the agent itself', () => {
  it('are no tools, under no name, and search_tools does not bring them', async () => {
    const searches = AGENT_OPERATIONS.map(([name]) => ({ name: 'search_tools', arguments: { query: name } }));
    const byName = aimed().flatMap(([name, fields]) =>
      SPELLINGS.map((spell) => ({ name: spell(name), arguments: fields })),
    );
    await expectUnmoved(async () => {
      const { session_id, seen } = await callAll([searches, byName]);
      const named = seen.slice(searches.length);
      expect(named).toHaveLength(byName.length);
      expect(named.filter(({ outcome }) => outcome === 'ok' || outcome === 'open')).toEqual([]);
      return session_id;
    });
  });

  it('do not run in the place of another operation, and no argument makes the caller someone else', async () => {
    const { admin } = host;
    const smuggled = aimed().flatMap(([operation, fields]) =>
      ['describe_all', 'list_roles', 'cluster_status'].map((name) => ({
        name,
        arguments: { ...fields, operation, hdb_user: { username: admin.username }, bypass_auth: true },
      })),
    );
    const impersonating = [
      { name: 'describe_all', arguments: { impersonate: { username: admin.username } } },
      { name: 'user_info', arguments: { hdb_user: { username: admin.username } } },
    ];
    await expectUnmoved(async () => (await callAll([smuggled, impersonating])).session_id);
  });

  it('cannot be reached through the tables that hold them', async () => {
    const { session_id } = waiting;
    const into = (name: string, table: string, record: object): Call => ({
      name,
      arguments: { database: 'system', table, records: [record] },
    });
    const decided = { id: `${session_id}:99`, session_id, kind: 'decision', approved: true };
    const writes = [
      ...['insert', 'update', 'upsert'].flatMap((name) => [
        into(name, 'hdb_agent_session', { id: session_id, status: 'completed' }),
        into(name, 'hdb_agent_item', decided),
      ]),
      {
        name: 'delete',
        arguments: { database: 'system', table: 'hdb_agent_session', ids: [session_id] },
      },
      {
        name: 'sql',
        arguments: { sql: `UPDATE system.hdb_agent_session SET status = 'completed'` },
      },
      { name: 'drop_table', arguments: { database: 'system', table: 'hdb_agent_item' } },
    ];
    await expectUnmoved(async () => (await callAll([writes])).session_id);
  });

  it('cannot be reached with http_fetch, as the agent or as a super_user the agent has made', async () => {
    const eve = { username: 'eve', password: 'made-by-it-1' };
    const basic = `Basic ${Buffer.from(`${eve.username}:${eve.password}`).toString('base64')}`;
    const { port } = new URL(host.operationsUrl);
    const post = (url: string, body: object, more: object): Call => ({
      name: 'http_fetch',
      arguments: { url, method: 'POST', body: JSON.stringify(body), ...more },
    });
    const places = [host.operationsUrl, `http://[::ffff:127.0.0.1]:${port}/mcp`, '/'];
    const asSomeone = [{}, { as: 'agent' }, { headers: { authorization: basic } }];
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const rpc = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
    const start = rpc(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'model', version: '0' },
    });
    await expectUnmoved(async () => {
      const { session_id, seen } = await callAll([
        [
          { name: 'add_role', arguments: { role: 'made', permission: { super_user: true } } },
          { name: 'add_user', arguments: { ...eve, role: 'made', active: true } },
        ],
        ...places.map((url) =>
          asSomeone.flatMap((more) =>
            aimed().map(([operation, fields]) => post(url, { operation, ...fields }, more)),
          ),
        ),
        [post('/mcp', start, { as: 'agent', headers: json })],
      ]);
      expect(seen.slice(0, 2)).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }]);
      const fetched = seen.filter(({ name }) => name === 'http_fetch');
      expect(fetched).toHaveLength(places.length * asSomeone.length * AGENT_OPERATIONS.length + 1);

      const mcpSession = /^mcp-session-id: (\S+)$/m.exec(fetched.at(-1)?.text ?? '')?.[1] ?? '';
      expect(mcpSession).not.toBe('');
      const throughMcp = aimed().map(([name, fields], id) =>
        post('/mcp', rpc(id + 2, 'tools/call', { name, arguments: fields }), {
          as: 'agent',
          headers: { ...json, 'mcp-session-id': mcpSession },
        }),
      );
      const answers = (await callAll([throughMcp], session_id)).seen.slice(seen.length);
      expect(answers).toHaveLength(throughMcp.length);
      for (const { text } of answers) expect(text).toMatch(/^HTTP 200[^]*(?:"isError": ?true|"error")/);
      return session_id;
    });
  });

  it.each(['hdb_agent', 'plain'])('are refused to %s on both MCP endpoints', async (username) => {
    const user = username === 'plain' ? { username, password: 'not-super-1' } : AGENT_USER;
    if (username === 'plain') {
      await api.call('add_role', { role: 'plain', permission: { super_user: false } });
      await api.call('add_user', { ...user, role: 'plain', active: true });
    }
    await expectUnmoved(async () => {
      await onBothProfiles(host, user, async (client, profile) => {
        for (const [name, fields] of aimed()) {
          const why = profile === 'operations' && user === AGENT_USER ? 'self_approval' : '';
          expect([name, await client.callTool(name, fields)]).toEqual([
            name,
            { refused: true, text: expect.stringContaining(why) },
          ]);
          const { refused } = await client.callTool(name.toUpperCase(), fields);
          expect([name, refused]).toEqual([name, true]);
        }
      });
      return undefined;
    });
  });
});
