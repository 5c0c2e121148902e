import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type EmbeddedHost } from '../../../src/host/index.js';
import { authorizationOf, connectClient, initialize, post } from './mcp-client.js';

const probe = fileURLToPath(new URL('fixtures/mcp-probe.mjs', import.meta.url));
const restricted = { username: 'robot', password: 'secret' };
let host: EmbeddedHost;
let admin: Client;
let url: string;
let roleId: string;

const run = (operation: string, parameters: object = {}) => host.operation({ operation, ...parameters });
const log = () => readFile(host.logPath, 'utf8');
const setOperations = (operations: string[]) =>
  run('alter_role', { id: roleId, permission: { super_user: false, operations } });
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

beforeAll(async () => {
  host = await startHost({
    builtins: { probe },
    config: {
      probe: { bulk: 250 },
      threads: { count: 1 },
      mcp: { operations: { deny: ['list_bulk_13'] }, session: { allowClientDelete: true } },
    },
  });
  url = host.mcpUrl('operations');
  const role = await run('add_role', {
    role: 'robots',
    permission: { super_user: false, operations: ['describe_who'] },
  });
  roleId = String((role.body as { id: string }).id);
  await run('add_user', { ...restricted, role: 'robots', active: true });
  admin = await connectClient(url, authorizationOf(host.admin));
}, 60_000);
afterAll(async () => {
  await admin.close();
  await host.stop();
});

describe('tools/list of the operations', () => {
  it('gives 200 a page, and all of them page by page', async () => {
    const opened = await post(url, initialize, { authorization: authorizationOf(host.admin) });
    const session = {
      authorization: authorizationOf(host.admin),
      'mcp-session-id': String(opened.headers.get('mcp-session-id')),
    };
    const first = await post(url, { id: 2, method: 'tools/list' }, session);
    const { result } = first.body as { result: { tools: unknown[]; nextCursor: string } };
    expect(result.tools).toHaveLength(200);
    const second = await post(
      url,
      { id: 3, method: 'tools/list', params: { cursor: result.nextCursor } },
      session,
    );
    expect(second.body).toMatchObject({ result: { tools: expect.any(Array) } });
    expect(second.body).not.toHaveProperty('result.nextCursor');
    const wrong = await post(url, { id: 4, method: 'tools/list', params: { cursor: 'bm9uZQ' } }, session);
    expect(wrong.body).toMatchObject({ error: { code: -32602 } });

    const names = await namesOf(admin);
    expect(names.length).toBeGreaterThan(250);
    expect(new Set(names).size).toBe(names.length);
  });

  it('allows reads by default, leaves secrets out, and takes away what is denied', async () => {
    const names = await namesOf(admin);
    expect(names).toEqual(
      expect.arrayContaining(['describe_all', 'list_users', 'search_by_value', 'read_log', 'list_bulk_12']),
    );
    for (const hidden of ['insert', 'change_something', 'list_secrets', 'list_bulk_13', 'user_info'])
      expect(names).not.toContain(hidden);
  });

  it('gives the hints, and a schema: its own, one of the host, or any object', async () => {
    const { tools } = await admin.listTools();
    const tool = (wanted: string) => tools.find(({ name }) => name === wanted);
    expect(tool('describe_who')).toMatchObject({
      description: 'Says who asks.',
      inputSchema: { type: 'object', properties: { note: { type: 'string' } } },
      annotations: { readOnlyHint: true },
    });
    expect(tool('describe_table')).toMatchObject({
      inputSchema: { type: 'object', properties: { table: { type: 'string' } }, required: ['table'] },
    });
    expect(tool('list_bulk_1')).toMatchObject({
      description: "Harper operation 'list_bulk_1'.",
      inputSchema: { type: 'object', additionalProperties: true },
    });
  });
});

describe('tools/call of an operation', () => {
  it('answers with JSON as text and as structured content', async () => {
    expect(await admin.callTool({ name: 'describe_rows' })).toMatchObject({
      content: [{ type: 'text', text: '[{"id":1},{"id":2}]' }],
      structuredContent: { results: [{ id: 1 }, { id: 2 }] },
    });
    expect(await admin.callTool({ name: 'describe_number' })).toMatchObject({
      content: [{ type: 'text', text: '{"message":7}' }],
    });
  });

  it('runs as who signed in, whatever the arguments say', async () => {
    const claim = { hdb_user: { username: 'root' }, operation: 'change_something', note: 'x' };
    const { structuredContent } = await admin.callTool({ name: 'describe_who', arguments: claim });
    expect(structuredContent).toEqual({
      username: host.admin.username,
      body: { operation: 'describe_who', note: 'x' },
    });
  });

  it('answers failures and streams as errors of the tool', async () => {
    const missing = await admin.callTool({ name: 'describe_table', arguments: { table: 'none' } });
    expect(missing.isError).toBe(true);
    expect(JSON.parse(String(missing.content[0]?.type === 'text' && missing.content[0].text))).toEqual({
      kind: 'harper_error',
      operation: 'describe_table',
      message: expect.stringContaining('none'),
    });
    expect(await admin.callTool({ name: 'describe_stream' })).toMatchObject({ isError: true });
  });

  it('refuses an operation that is not allowed, and does not know one that is not there', async () => {
    for (const name of ['change_something', 'list_secrets', 'list_bulk_13', 'no_such_tool'])
      await expect(admin.callTool({ name })).rejects.toThrow(`Unknown tool: ${name}`);
  });

  it('logs a line without secrets', async () => {
    await admin.callTool({
      name: 'describe_who',
      arguments: {
        note: 'audited',
        password: 'hunter2',
        deep: [{ apiKey: 'hunter2' }],
        value: 'hunter2',
      },
    });
    const line = (await log()).split('\n').find((text) => text.includes('audited')) ?? '';
    expect(line).toContain('[info]');
    expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({
      category: 'mcp.audit',
      profile: 'operations',
      sessionId: expect.stringMatching(/^.{4}…$/),
      tool: 'describe_who',
      user: host.admin.username,
      args: {
        note: 'audited',
        password: '[redacted]',
        deep: [{ apiKey: '[redacted]' }],
        value: '[redacted]',
      },
      status: 'ok',
      durationMs: expect.any(Number),
    });
    expect(await log()).not.toContain('hunter2');
  });
});

describe('a restricted user', () => {
  it('sees what its role names, and is refused the rest when it calls it by name', async () => {
    const robot = await connectClient(url, authorizationOf(restricted));
    expect(await namesOf(robot)).toEqual(['describe_who']);
    const refused = await robot.callTool({ name: 'read_log' });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('robot') }] });
    await robot.close();
  });

  it('is bound by its role as it is at the call, not at the list', async () => {
    const robot = await connectClient(url, authorizationOf(restricted));
    const before = await namesOf(robot);
    await setOperations(['describe_who', 'describe_number']);
    expect(before).not.toContain('describe_number');
    expect(await robot.callTool({ name: 'describe_number' })).not.toHaveProperty('isError');
    expect(await namesOf(robot)).toContain('describe_number');
    await setOperations(['describe_who']);
    expect(await robot.callTool({ name: 'describe_number' })).toMatchObject({ isError: true });
    await robot.close();
  });
});

describe('sessions', () => {
  it('are for who signs in: wrong and missing passwords are 401 before anything else', async () => {
    const wrong = authorizationOf({ ...restricted, password: 'wrong' });
    await expect(connectClient(url, wrong)).rejects.toThrow('Login failed');
    expect(await post(url, initialize, { authorization: wrong })).toMatchObject({ status: 401 });
    expect(await post(url, initialize, {})).toMatchObject({ status: 401, body: { error: 'Must login' } });
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(401);
  });

  it('take a bearer token too', async () => {
    const { body } = await run('create_authentication_tokens');
    const client = await connectClient(
      url,
      `Bearer ${(body as { operation_token: string }).operation_token}`,
    );
    expect(await client.callTool({ name: 'describe_who' })).toMatchObject({
      structuredContent: { username: host.admin.username },
    });
    await client.close();
  });

  it('are required, known, and of the user who opened them', async () => {
    const authorization = authorizationOf(host.admin);
    const opened = await post(url, initialize, { authorization });
    expect(opened.body).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
    const id = String(opened.headers.get('mcp-session-id'));
    const list = (headers: Record<string, string>) => post(url, { id: 2, method: 'tools/list' }, headers);
    const mine = { authorization, 'mcp-session-id': id };
    expect((await list({ authorization })).status).toBe(400);
    expect((await list({ authorization, 'mcp-session-id': 'unknown' })).status).toBe(404);
    expect((await list({ ...mine, authorization: authorizationOf(restricted) })).status).toBe(403);
    expect((await list({ ...mine, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await list({ ...mine, accept: 'text/html' })).status).toBe(406);
    expect((await fetch(url, { headers: { ...mine, accept: 'application/json' } })).status).toBe(406);
    expect((await list(mine)).status).toBe(200);
    expect((await fetch(url, { method: 'DELETE', headers: mine })).status).toBe(204);
    expect((await list(mine)).status).toBe(404);
  });

  it('offer the protocol versions of Harper', async () => {
    const newer = { ...initialize, params: { ...initialize.params, protocolVersion: '2025-11-25' } };
    const { body } = await post(url, newer, { authorization: authorizationOf(host.admin) });
    expect(body).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
  });

  it('end their stream in order when the host restarts', async () => {
    const authorization = authorizationOf(host.admin);
    const opened = await post(url, initialize, { authorization });
    const session = { authorization, 'mcp-session-id': String(opened.headers.get('mcp-session-id')) };
    const stream = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
    await run('restart');
    // A stream that is cut off would reject instead.
    expect(await stream.text()).toBe('');
    await host.waitForRestart();
    expect((await post(url, { id: 2, method: 'tools/list' }, session)).status).toBe(200);
  });

  it('outlive the process', async () => {
    const client = await connectClient(url, authorizationOf(host.admin));
    await host.kill();
    await host.start();
    expect(host.mcpUrl('operations')).toBe(url);
    expect(await client.callTool({ name: 'describe_number' })).toMatchObject({
      structuredContent: { message: 7 },
    });
    await client.close();
  });
});

describe('the registry', () => {
  it('is found below the package of the host, and is the one the endpoint serves', async () => {
    const { tools } = await admin.listTools();
    expect(tools.find(({ name }) => name === 'probe_static')).toMatchObject({
      description: 'Added by a component.',
    });
    const { content } = await admin.callTool({ name: 'probe_static', arguments: { x: 1 } });
    expect(content).toMatchObject([
      { text: JSON.stringify({ args: { x: 1 }, by: host.admin.username, session: true }) },
    ]);
  });

  it('only filters the list: what a static tool may do is up to its handler', async () => {
    const robot = await connectClient(url, authorizationOf(restricted));
    expect(await namesOf(robot)).not.toContain('probe_static');
    expect(await robot.callTool({ name: 'probe_static' })).toMatchObject({
      content: [{ text: expect.stringContaining('"by":"robot"') }],
    });
    await robot.close();
  });

  it('tells who listens of operations and tools that come and go', async () => {
    let heard: (names: string[]) => void = () => {};
    const client = await connectClient(url, authorizationOf(host.admin), {
      listChanged: {
        tools: {
          debounceMs: 0,
          onChanged: (_error, tools) => heard((tools ?? []).map(({ name }) => name)),
        },
      },
    });
    const hears = () => new Promise<string[]>((resolve) => (heard = resolve));
    const added = hears();
    await client.callTool({ name: 'list_register', arguments: { name: 'list_late' } });
    expect(await added).toContain('list_late');
    const removed = hears();
    expect(await run('probe_remove')).toMatchObject({ body: { removed: true } });
    expect(await removed).not.toContain('probe_static');
    await client.close();
  });
});

describe('a profile that is not configured', () => {
  it('is not there', async () => {
    const authorization = authorizationOf(host.admin);
    expect((await post(host.mcpUrl('application'), initialize, { authorization })).status).toBe(404);
  });
});
