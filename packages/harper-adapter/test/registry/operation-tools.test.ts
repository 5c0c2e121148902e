import type { Tool, ToolContext } from '@harperfast/agent-core/contracts';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import { describeToolProvider } from '@harperfast/agent-testkit/conformance';
import { describe, expect, it } from 'vitest';
import { CATALOG, operationTools } from '../../src/registry/operation-tools.js';
import { createFakeServer, httpError, user } from '../support/fake-server.js';

const caller = { user: 'robot' };
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const context = (): ToolContext => ({
  sessionId: 's1',
  callId: 'c1',
  caller,
  signal: new AbortController().signal,
  logger: silent,
});

function setUp(permission: object = { super_user: true }) {
  const server = createFakeServer(user('robot', permission));
  const provider = operationTools(server);
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

describeToolProvider('operationTools', async () => ({ provider: setUp().provider }));

describe('operationTools', () => {
  it("offers neither the agent's own operations nor those that answer password hashes", () => {
    const names = CATALOG.map(({ name }) => name);
    for (const name of [
      'agent_prompt',
      'approve_agent_action',
      'set_agent_config',
      'cancel_agent_run',
      'get_agent_session',
      'list_agent_sessions',
      'delete_agent_session',
      'watch_agent_session',
      'revoke_agent_grant',
      'list_users',
      'sql',
    ]) {
      expect(names).not.toContain(name);
    }
  });

  it('gives each operation its effect', () => {
    const effectOf = Object.fromEntries(CATALOG.map(({ name, effect }) => [name, effect]));
    expect(effectOf).toMatchObject({
      describe_all: 'read',
      insert: 'write',
      restart_service: 'disruptive',
      drop_table: 'destructive',
      delete: 'destructive',
      add_user: 'destructive',
      alter_role: 'destructive',
      restart: 'critical',
      set_configuration: 'critical',
    });
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

  it.each(['hdb_user', 'bypass_auth', 'impersonate', 'operation', 'search_operation', 'schema'])(
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

  it('lets no setting stand for another operation, another user or the limits of the agent', async () => {
    const { server, tool, run } = setUp();
    const { input } = await tool('set_configuration');
    for (const key of ['operation', 'hdb_user', 'bypass_auth', 'agent', 'agent_autoApprove', 'Agent_user']) {
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
