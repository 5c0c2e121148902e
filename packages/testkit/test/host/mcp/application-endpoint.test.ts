import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type EmbeddedHost } from '../../../src/host/index.js';
import { authorizationOf, connectClient, initialize, post } from './mcp-client.js';

const probe = fileURLToPath(new URL('fixtures/mcp-probe.mjs', import.meta.url));
const superRole = { id: '1', role: 'super_user', permission: { super_user: true } };
const reader = { username: 'reader', password: 'secret' };
let host: EmbeddedHost;
let url: string;
let client: Client;

const run = (operation: string, parameters: object = {}) => host.operation({ operation, ...parameters });
const deploy = (source: string) => writeFile(`${host.componentsRoot}/shop/resources.js`, source);
const replace = () => run('restart_service', { service: 'http_workers' });
const namesOf = async (of: Client) => (await of.listTools()).tools.map(({ name }) => name).sort();
const call = async (name: string, args: Record<string, unknown> = {}, as = client) =>
  as.callTool({ name, arguments: args });

const SHOP = `
  import { threadId } from 'node:worker_threads';
  export class Goods extends Resource {
    allowDelete(user) { return user.role.permission.super_user === true; }
    static get(target) { return target.id === 'none' ? undefined : { id: target.id, by: Resource.prototype.getContext().user.username }; }
    static async *search(target) { yield { limit: target.limit }; yield { conditions: target.conditions }; }
    post(target, data) { return { created: data, id: target.id ?? null }; }
    put(target, data) { return { put: data, id: target.id }; }
    delete(target) { return { deleted: target.id }; }
    quote({ of }, { user }) { return { of, user: user.username }; }
    static mcpTools = {
      quote: { description: 'Names a price.', inputSchema: { type: 'object', properties: { of: { type: 'string' } } }, method: 'quote' },
      where: { description: 'Says which thread answers.', handler: () => threadId },
      raw: { description: 'Answers with a result.', handler: () => ({ content: [{ type: 'text', text: 'raw' }] }) },
      fails: { description: 'Fails.', handler() { throw new Error('no luck'); } },
      ends: { description: 'Ends its thread.', handler() { process.exit(7); } },
      empty: { description: 'Names nothing to run.' },
    };
  }
  class Slash { static get() { return 'slash'; } }
  class Dot { static get() { return 'dot'; } }
  export { Slash as 'a/b', Dot as 'a.b' };
`;

beforeAll(async () => {
  host = await startHost({
    builtins: { probe },
    config: { probe: true, threads: { count: 2 }, mcp: { application: { mountPath: '/agent/mcp' } } },
  });
  url = host.mcpUrl('application');
  await mkdir(`${host.componentsRoot}/shop`, { recursive: true });
  await deploy(SHOP);
  await replace();
  await run('add_role', { role: 'readers', permission: { super_user: false } });
  await run('add_user', { ...reader, role: 'readers', active: true });
  client = await connectClient(url, authorizationOf(host.admin));
}, 60_000);
afterAll(async () => {
  await client.close();
  await host.stop();
});

describe('the tools of applications', () => {
  it('are what the classes have methods for, and what they name themselves', async () => {
    const generated = [
      'get_Goods',
      'search_Goods',
      'create_Goods',
      'update_Goods',
      'delete_Goods',
      'get_a_b',
    ];
    const named = ['quote', 'where', 'raw', 'fails', 'ends'];
    expect(await namesOf(client)).toEqual([...generated, ...named].sort());
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'get_Goods')).toMatchObject({
      inputSchema: { type: 'object', required: ['id'] },
      annotations: { readOnlyHint: true },
    });
    const log = await readFile(host.logPath, 'utf8');
    expect(log).toContain('MCP tool empty of resource Goods is left out');
    expect(log).toContain('MCP tool get_a_b: the one of resource');
  });

  it('call the methods, as who signed in', async () => {
    const by = host.admin.username;
    expect((await call('get_Goods', { id: 'a/1' })).structuredContent).toEqual({ id: 'a/1', by });
    expect((await call('search_Goods', { limit: 2, conditions: [] })).structuredContent).toEqual({
      results: [{ limit: 2 }, { conditions: [] }],
    });
    expect((await call('create_Goods', { data: { x: 1 } })).structuredContent).toEqual({
      created: { x: 1 },
      id: null,
    });
    expect((await call('update_Goods', { id: 5, data: { x: 2 } })).structuredContent).toEqual({
      put: { x: 2 },
      id: '5',
    });
    expect((await call('delete_Goods', { id: '5' })).structuredContent).toEqual({ deleted: '5' });
    expect((await call('quote', { of: 'tea' })).structuredContent).toEqual({ of: 'tea', user: by });
    expect((await call('raw')).content).toEqual([{ type: 'text', text: 'raw' }]);
  });

  it('answer failures and wrong arguments as errors of the tool', async () => {
    const text = async (name: string, args = {}) => {
      const { isError, content } = await call(name, args);
      expect(isError).toBe(true);
      return content[0]?.type === 'text' ? (JSON.parse(content[0].text) as unknown) : undefined;
    };
    expect(await text('fails')).toEqual({ kind: 'harper_error', tool: 'fails', message: 'no luck' });
    expect(await text('get_Goods')).toMatchObject({ message: expect.stringContaining('id') });
    await expect(call('get_Nothing')).rejects.toThrow('Unknown tool');
  });

  it('are hidden from and refused to whom the class does not allow', async () => {
    const robot = await connectClient(url, authorizationOf(reader));
    const names = await namesOf(robot);
    expect(names).toContain('get_Goods');
    expect(names).not.toContain('delete_Goods');
    expect(await call('delete_Goods', { id: '5' }, robot)).toMatchObject({ isError: true });
    expect((await call('get_Goods', { id: '1' }, robot)).structuredContent).toMatchObject({ by: 'reader' });
    await robot.close();
  });
});

describe('the endpoint on the workers', () => {
  it('wants a user, unlike the resources beside it', async () => {
    expect(await post(url, initialize, {})).toMatchObject({ status: 401 });
    await expect(connectClient(url, authorizationOf({ ...reader, password: 'x' }))).rejects.toThrow(
      'Login failed',
    );
    expect((await host.fetchApp('/a%2Fb')).status).toBe(200);
  });

  it('lets any worker answer a session', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('where')));
    const threads = answers.map(({ structuredContent }) => JSON.stringify(structuredContent));
    expect(new Set(threads).size).toBe(2);
  });

  it('goes on with the same session when a worker has ended', async () => {
    await expect(call('ends')).rejects.toThrow('fetch failed');
    expect((await call('raw')).content).toEqual([{ type: 'text', text: 'raw' }]);
  });

  it('serves the tools of a new deployment to the same session, and tells who listens', async () => {
    let heard: (names: string[]) => void = () => {};
    const told = new Promise<string[]>((resolve) => (heard = resolve));
    const listening = await connectClient(url, authorizationOf(host.admin), {
      listChanged: {
        tools: {
          debounceMs: 0,
          onChanged(_error, tools) {
            const names = (tools ?? []).map(({ name }) => name);
            // The worker that takes the place of the one that ended is told of, too.
            if (names.includes('get_Fresh')) heard(names);
          },
        },
      },
    });
    await deploy(`export class Fresh { static get() { return 'fresh'; } }`);
    expect((await replace()).status).toBe(200);
    expect(await told).toEqual(['get_Fresh']);
    expect(await namesOf(client)).toEqual(['get_Fresh']);
    expect((await call('get_Fresh', { id: '1' })).structuredContent).toEqual({ message: 'fresh' });
    await expect(call('quote')).rejects.toThrow('Unknown tool');
    await listening.close();
  });

  it('is not at the operations port', async () => {
    const authorization = authorizationOf(host.admin);
    expect((await post(host.mcpUrl('operations'), initialize, { authorization })).status).toBe(404);
  });
});

describe('the registry without mcp.operations', () => {
  it('has the operations once a component asks for them, and runs them as the user it names', async () => {
    const { body } = await run('probe_registry', { user: { username: 'agent', role: superRole } });
    expect(body).toMatchObject({
      names: expect.arrayContaining(['describe_all', 'describe_who', 'probe_static']),
      answer: { structuredContent: { username: 'agent' } },
    });
  });
});
