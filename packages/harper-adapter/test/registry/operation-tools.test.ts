import type { Tool } from '@harperfast/agent-core/contracts';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import { describeToolProvider } from '@harperfast/agent-testkit/conformance';
import { describe, expect, it } from 'vitest';
import type { OperationLists } from '../../src/registry/operation-lists.js';
import { operationTools } from '../../src/registry/operation-tools.js';
import { createFakeServer, httpError, user } from '../support/fake-server.js';
import { toolContext } from '../support/tool-context.js';

const caller = { user: 'robot' };
const context = () => toolContext('robot');

function setUp(permission: object = { super_user: true }, own: OperationLists = {}) {
  const server = createFakeServer(user('robot', permission));
  const provider = operationTools({ server, config: () => ({}) }, own);
  const tool = async (name: string): Promise<Tool> => {
    const found = (await provider.tools(caller)).find((item) => item.name === name);
    if (found === undefined) throw new Error(`There is no tool ${name}`);
    return found;
  };
  const run = async (name: string, input: unknown) => {
    const found = await tool(name);
    return found.execute(found.input.parse(input), context());
  };
  return { server, provider, tool, run };
}

const samples = { sql: [{ sql: 'select 1' }, { sql: 'drop table data.dog' }] };
describeToolProvider('operationTools', async () => ({ provider: setUp().provider, caller, samples }));

describe('operationTools', () => {
  it("offers neither the agent's own operations nor any other that is denied, and no name that is only an alias", async () => {
    const names = (await setUp().provider.tools(caller)).map(({ name }) => name);
    for (const name of [
      'agent_prompt',
      'approve_agent_action',
      'set_agent_config',
      'list_users',
      'get_ssh_key',
    ]) {
      expect(names).not.toContain(name);
    }
    expect(names).toContain('search_by_id');
    expect(names).not.toContain('search_by_hash');
    expect(names).toContain('get_custom_functions');
  });

  it('judges SQL by its statement', async () => {
    const { effect } = await setUp().tool('sql');
    if (typeof effect !== 'function') throw new Error('It is the same for all');
    expect(effect({ sql: 'select * from data.dog' })).toBe('read');
    expect(effect({ sql: 'delete from data.dog' })).toBe('destructive');
  });

  it("follows the agent's own lists and its role from one list to the next, with the same tools", async () => {
    const { server, provider } = setUp(
      { super_user: true },
      { allow: ['search_*', 'drop_*', 'read_log'], deny: ['drop_data*'] },
    );
    const listed = async () => new Map((await provider.tools(caller)).map((item) => [item.name, item]));
    const before = await listed();
    expect([...before.keys()].toSorted()).toEqual([
      'drop_attribute',
      'drop_component',
      'drop_custom_function',
      'drop_custom_function_project',
      'drop_role',
      'drop_table',
      'drop_user',
      'read_log',
      'search_by_conditions',
      'search_by_id',
      'search_by_value',
      'search_jobs_by_start_date',
    ]);
    server.users.set('robot', user('robot', { super_user: true, operations: ['read_log', 'insert'] }));
    expect([...(await listed()).keys()]).toEqual(['read_log']);
    server.users.set('robot', user('robot'));
    for (const [name, item] of await listed()) expect(before.get(name)).toBe(item);
    server.users.delete('robot');
    await expect(listed()).rejects.toThrow("'robot'");
  });

  it('runs as the agent user with its permissions enforced, and answers JSON', async () => {
    const { server, run } = setUp();
    server.answer = () => ({ data: { dog: { record_count: 2 } } });
    const output = await run('describe_all', {});
    expect(JSON.parse(output.text)).toEqual({ data: { dog: { record_count: 2 } } });
    expect(server.calls).toEqual([
      { body: { operation: 'describe_all' }, user: server.users.get('robot'), authorize: true },
    ]);
  });

  it('hands Harper a copy of the arguments, all the way down', async () => {
    const { server, tool } = setUp();
    server.answer = ({ records }) => {
      Object(records)[0].tags.push('seen');
      return records;
    };
    const insert = await tool('insert');
    const parsed = insert.input.parse({ table: 'dog', records: [{ id: 1, tags: ['a'] }] });
    expect((await insert.execute(parsed, context())).text).toContain('seen');
    expect(parsed).toEqual({ table: 'dog', records: [{ id: 1, tags: ['a'] }] });
  });

  it('acts with the role the user has at the moment of the call', async () => {
    const { server, run } = setUp();
    await run('describe_all', {});
    const demoted = user('robot', { super_user: false });
    server.users.set('robot', demoted);
    await run('describe_all', {});
    expect(server.calls[1]?.user).toBe(demoted);
    server.users.delete('robot');
    await expect(run('describe_all', {})).rejects.toThrow("'robot'");
    expect(server.calls).toHaveLength(2);
  });

  it('refuses what the role forbids and fails on everything else, in words', async () => {
    const { server, run } = setUp();
    server.answer = () => {
      throw httpError(403, 'This operation is not authorized');
    };
    await expect(run('drop_table', { table: 'dog' })).rejects.toBeInstanceOf(ToolDeniedError);
    await expect(run('drop_table', { table: 'dog' })).rejects.toThrow(/robot.*drop_table.*not authorized/);
    server.answer = () => {
      throw httpError(404, "Table 'data.dog' does not exist");
    };
    const failure = run('describe_table', { table: 'dog' });
    await expect(failure).rejects.toThrow("describe_table failed: Table 'data.dog' does not exist");
    await expect(failure).rejects.not.toBeInstanceOf(ToolDeniedError);
  });

  it.each(['hdb_user', 'bypass_auth', 'impersonate', 'operation', 'schema'])(
    'takes no argument %s, of any operation',
    async (key) => {
      const { provider } = setUp();
      for (const tool of await provider.tools(caller)) {
        const parsed = tool.input.safeParse({ [key]: { role: { permission: { super_user: true } } } });
        expect(parsed.error?.issues).toContainEqual(
          expect.objectContaining({ code: 'unrecognized_keys', keys: [key], path: [] }),
        );
      }
    },
  );

  it('takes a nested search in exports only, and nothing but a search', async () => {
    const { provider } = setUp();
    const search = { operation: 'search_by_value', table: 'dog', attribute: 'name', value: '*' };
    const others = (await provider.tools(caller)).filter(({ name }) => !name.startsWith('export_'));
    for (const { input } of others) expect(input.safeParse({ search_operation: search }).success).toBe(false);
    const { tool, server } = setUp();
    const exporting = await tool('export_local');
    const { input } = exporting;
    const exported = (search_operation: object) => ({ path: '/tmp', format: 'csv', search_operation });
    expect(input.safeParse(exported(search)).success).toBe(true);
    expect(input.safeParse(exported({ ...search, operation: 'list_users' })).success).toBe(false);
    expect(input.safeParse(exported({ ...search, hdb_user: {} })).success).toBe(false);
    const stolen = input.parse(exported({ ...search, database: 'system', table: 'hdb_user' }));
    await expect(exporting.execute(stolen, context())).rejects.toThrow('off limits');
    expect(server.calls).toEqual([]);
  });

  it('lets no setting stand for another operation, another user or the limits of the agent', async () => {
    const { server, tool, run } = setUp();
    const { input } = await tool('set_configuration');
    const own = ['agent', 'agent_autoApprove', 'Agent_user', 'agent.user', 'agentUser', ' agent_user'];
    for (const key of ['operation', 'hdb_user', 'bypass_auth', ...own]) {
      expect(input.safeParse({ settings: { [key]: true } }).success).toBe(false);
    }
    expect(input.safeParse({ settings: {} }).success).toBe(false);
    await run('set_configuration', { settings: { logging_level: 'debug' } });
    expect(server.calls[0]?.body).toEqual({ operation: 'set_configuration', logging_level: 'debug' });
  });

  it('keeps its hands off the records of the system database', async () => {
    const { server, run } = setUp();
    for (const database of ['system', 'System']) {
      await expect(run('search_by_id', { database, table: 'hdb_user', ids: ['x'] })).rejects.toBeInstanceOf(
        ToolDeniedError,
      );
    }
    await expect(run('delete', { database: 'system', table: 'hdb_user', ids: ['x'] })).rejects.toThrow(
      'off limits',
    );
    expect(server.calls).toEqual([]);
  });

  it('masks the credentials of the configuration before anyone reads it', async () => {
    const { server, run } = setUp();
    server.answer = () => ({
      models: { generative: { default: { apiKey: 'sk-live-123456' } } },
      threads: { count: 2 },
    });
    const output = await run('get_configuration', {});
    expect(JSON.stringify(output)).not.toContain('sk-live-123456');
    expect(output.text).toContain('"count":2');
  });

  it('fetches rows that come one by one, and says where it stopped', async () => {
    const { server, run } = setUp();
    server.answer = async function* () {
      for (let id = 0; id < 1500; id++) yield { id };
    };
    const output = await run('search_by_value', { table: 'dog', attribute: 'name', value: '*' });
    const rows: unknown[] = JSON.parse(output.text);
    expect(rows).toHaveLength(1001);
    expect(JSON.stringify(rows[1000])).toContain('1000 rows');
  });

  it('answers null where an operation answers nothing', async () => {
    const { server, run } = setUp();
    server.answer = () => undefined;
    expect((await run('cluster_status', {})).text).toBe('null');
  });

  it('does not start once it is aborted', async () => {
    const { server, tool } = setUp();
    const found = await tool('restart');
    const reason = new Error('cancelled');
    await expect(found.execute({}, { ...context(), signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.calls).toEqual([]);
  });
});
