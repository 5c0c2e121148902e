import type { Tool } from '@harperfast/agent-core/contracts';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import type { HarperRegistryTool } from '../../src/host.js';
import type { OperationLists } from '../../src/registry/operation-lists.js';
import { operationTools } from '../../src/registry/operation-tools.js';
import { createFakeRegistry } from '../support/fake-registry.js';
import { createFakeServer, user } from '../support/fake-server.js';
import { toolContext } from '../support/tool-context.js';

const caller = { user: 'robot' };
const context = () => toolContext('robot');

function setUp(config: object = {}, own: OperationLists = {}, permission: object = { super_user: true }) {
  const server = createFakeServer(user('robot', permission));
  const registry = createFakeRegistry();
  const add = (name: string, change: Partial<HarperRegistryTool> = {}) =>
    registry.addTool({
      name,
      description: `Harper operation '${name}'.`,
      inputSchema: { type: 'object', additionalProperties: true },
      profile: 'operations',
      visibleTo: () => true,
      handler: (args, { user: actor }) => ({
        content: [{ type: 'text', text: JSON.stringify([args, actor]) }],
      }),
      ...change,
    });
  const provider = operationTools({ server, registry, config: () => config }, own);
  const listed = async () => new Map((await provider.tools(caller)).map((item) => [item.name, item]));
  const tool = async (name: string): Promise<Tool> => {
    const found = (await listed()).get(name);
    if (found === undefined) throw new Error(`There is no tool ${name}`);
    return found;
  };
  return { server, registry, add, provider, listed, tool };
}

describe('operationTools of a host with a registry', () => {
  it('has the whole catalog where nothing bounds it, and nothing that only HarperDB 4 has', async () => {
    const { listed } = setUp();
    const names = [...(await listed()).keys()];
    for (const name of ['insert', 'drop_table', 'deploy_component', 'restart']) expect(names).toContain(name);
    for (const name of ['get_custom_functions', 'set_secret']) expect(names).not.toContain(name);
  });

  it("is bounded by the operator's list for MCP clients, minus what that denies and the agent's own lists", async () => {
    const config = {
      mcp: {
        operations: {
          allow: ['describe_*', 'search_by_hash', 'insert'],
          deny: ['describe_schema', '*_metric'],
        },
      },
    };
    const { listed, add } = setUp(config);
    for (const name of [
      'brush_dogs',
      'describe_all',
      'describe_table',
      'search_by_hash',
      'insert',
      'drop_table',
    ])
      add(name);
    expect([...(await listed()).keys()]).toEqual([
      'describe_all',
      'describe_table',
      'search_by_id',
      'insert',
    ]);
    const { listed: less } = setUp(config, {
      deny: ['insert'],
      allow: ['insert', 'describe_all', 'read_log'],
    });
    expect([...(await less()).keys()]).toEqual(['describe_all']);
  });

  it('takes what is on that list and not in the registry for not there, unless the registry lists no operations', async () => {
    const { listed, add } = setUp({ mcp: { operations: { allow: ['*'] } } });
    expect([...(await listed()).keys()]).toContain('sql');
    add('describe_all');
    add('get_custom_functions');
    expect([...(await listed()).keys()]).toEqual(['describe_all', 'get_custom_functions']);
  });

  it('calls documented operations through the server, with permissions enforced, whatever the handler is', async () => {
    const { server, add, tool } = setUp();
    add('insert', { handler: () => Promise.reject(new Error('not this way')) });
    const found = await tool('insert');
    await found.execute(found.input.parse({ table: 'dog', records: [{ id: 1 }] }), context());
    expect(server.calls).toEqual([
      {
        body: { database: 'data', operation: 'insert', table: 'dog', records: [{ id: 1 }] },
        user: server.users.get('robot'),
        authorize: true,
      },
    ]);
  });

  it('names the database of a table: where none is named, not every Harper looks at the rights to it', async () => {
    const { tool, server } = setUp();
    const search = await tool('search_by_id');
    await search.execute(search.input.parse({ table: 'dog', ids: [1] }), context());
    await search.execute(search.input.parse({ database: 'own', table: 'dog', ids: [1] }), context());
    expect(server.calls.map(({ body }) => Object(body).database)).toEqual(['data', 'own']);
  });

  it('takes the schema of the registry where it says something, made strict and without identity', async () => {
    const { add, tool } = setUp();
    add('describe_table', {
      inputSchema: {
        type: 'object',
        properties: {
          operation: { type: 'string' },
          hdb_user: { type: 'object' },
          table: { type: 'string' },
          exact: { type: 'boolean' },
        },
        required: ['operation', 'table'],
      },
    });
    add('set_secret', { inputSchema: { type: 'object', properties: { name: { type: 'string' } } } });
    const { input } = await tool('describe_table');
    expect(input.safeParse({ table: 'dog', exact: true }).success).toBe(true);
    for (const odd of [
      {},
      { table: 'dog', hdb_user: {} },
      { table: 'dog', operation: 'x' },
      { table: 'dog', more: 1 },
    ]) {
      expect(input.safeParse(odd).success).toBe(false);
    }
    expect((await tool('set_secret')).effect).toBe('destructive');
    add('describe_database');
    expect((await tool('describe_database')).input.safeParse({ anything: 1 }).success).toBe(false);
  });

  it('keeps its own input where the effect holds for that only', async () => {
    const { add, tool } = setUp();
    const anything = { type: 'object', properties: { service: { type: 'string' }, sql: { type: 'string' } } };
    for (const name of ['restart_service', 'set_configuration', 'sql']) add(name, { inputSchema: anything });
    expect((await tool('restart_service')).input.safeParse({ service: 'everything' }).success).toBe(false);
    expect((await tool('set_configuration')).input.safeParse({ settings: { agent_user: 'x' } }).success).toBe(
      false,
    );
    expect((await tool('sql')).input.safeParse({ sql: 'x'.repeat(20_000) }).success).toBe(false);
  });

  it('lists what others registered as destructive, as it appears and until it goes', async () => {
    const { registry, add, listed, tool } = setUp();
    expect((await listed()).has('brush_dogs')).toBe(false);
    add('brush_dogs', { annotations: { readOnlyHint: true, destructiveHint: false } });
    add('feed/dogs now', {});
    const found = await tool('brush_dogs');
    expect(found).toMatchObject({ effect: 'destructive', description: "Harper operation 'brush_dogs'." });
    const [renamed] = [...(await listed()).keys()].filter((name) => name.startsWith('feed_dogs_now'));
    expect(renamed).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    const output = await found.execute(found.input.parse({ bowl: 1 }), context());
    expect(output.text).toContain('"bowl":1');
    await expect(found.execute({ hdb_user: {} }, context())).rejects.toBeInstanceOf(ToolDeniedError);
    await expect(found.execute({ a: { database: 'system' } }, context())).rejects.toThrow('off limits');
    registry.removeTool('brush_dogs');
    expect((await listed()).has('brush_dogs')).toBe(false);
    await expect(found.execute({}, context())).rejects.toThrow('not there any more');
  });

  it("never lists what is denied, the agent's own tools among it, whatever is allowed", async () => {
    const { add, listed } = setUp({ mcp: { operations: { allow: ['*'] } } });
    const denied = [
      'approve_agent_action',
      'agent_prompt',
      'List_Users',
      'get_backup',
      'pause_agent',
      'search_by_hash',
    ];
    for (const name of denied) add(name);
    const names = [...(await listed()).keys()];
    for (const name of denied) expect(names).not.toContain(name);
    expect(names).toContain('search_by_id');
  });

  it("takes Harper's word for who may see what, and follows it", async () => {
    let isVisible = false;
    const { add, listed } = setUp();
    add('read_log', { visibleTo: () => isVisible });
    add('brush_dogs', {
      visibleTo: () => {
        throw new Error('broken');
      },
    });
    expect((await listed()).has('read_log')).toBe(false);
    expect((await listed()).has('brush_dogs')).toBe(false);
    isVisible = true;
    expect((await listed()).has('read_log')).toBe(true);
  });

  it('gives a role with rights to tables the operations on records, which Harper does not list for it', async () => {
    const { add, listed } = setUp({}, {}, { super_user: false, data: { tables: { dog: { read: true } } } });
    add('search_by_value', { visibleTo: () => false });
    add('list_roles', { visibleTo: () => false });
    const names = [...(await listed()).keys()];
    expect(names).toContain('search_by_value');
    expect(names).toContain('insert');
    expect(names).not.toContain('list_roles');
    expect(names).not.toContain('drop_table');
  });

  it('gives the same tools while the descriptions say the same, however often they are made anew', async () => {
    const { add, listed } = setUp();
    const schema = (maximum: number) => ({
      type: 'object',
      properties: { bowl: { type: 'number', maximum } },
    });
    const addAll = (maximum: number) => {
      add('brush_dogs', { inputSchema: schema(maximum) });
      add('describe_table', { inputSchema: schema(maximum) });
    };
    addAll(3);
    const before = await listed();
    addAll(3);
    for (const [name, item] of await listed()) expect(item).toBe(before.get(name));
    addAll(4);
    const after = await listed();
    for (const name of ['brush_dogs', 'describe_table']) expect(after.get(name)).not.toBe(before.get(name));
    expect(after.get('insert')).toBe(before.get('insert'));
  });

  it('leaves out a tool that cannot be called, and no other', async () => {
    const { add, listed } = setUp();
    const round: Record<string, unknown> = { type: 'object' };
    round['properties'] = { round };
    add('brush_dogs', { inputSchema: { type: 'string' } });
    add('wash_dogs', { inputSchema: round });
    add('walk_dogs');
    const names = [...(await listed()).keys()];
    expect(names).not.toContain('brush_dogs');
    expect(names).toContain('walk_dogs');
  });

  it('adds nothing to the registry that MCP clients see', async () => {
    const { registry, add, listed } = setUp();
    add('brush_dogs');
    const before = [...registry.tools];
    await listed();
    expect([...registry.tools]).toEqual(before);
  });
});
