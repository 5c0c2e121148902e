import { AsyncLocalStorage } from 'node:async_hooks';
import { ScriptedModel, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

const OPERATIONS = [
  'agent_prompt',
  'get_agent_session',
  'list_agent_sessions',
  'cancel_agent_run',
  'approve_agent_action',
  'revoke_agent_grant',
  'revert_agent_changes',
  'set_agent_config',
  'delete_agent_session',
  'watch_agent_session',
];

describe('registerOperations', () => {
  it('registers its operations as ones that ask for a super_user, and asks again itself', async () => {
    const { host, call } = await startAgent(new ScriptedModel([]));
    expect([...host.server.registered.keys()]).toEqual(OPERATIONS);
    for (const [name, { requiresSuperUser }] of host.server.registered) {
      expect(requiresSuperUser).toBe(true);
      for (const nobody of ['bob', 'unknown']) {
        await expect(call(name, { session_id: 'x', message: 'x' }, nobody)).rejects.toMatchObject({
          statusCode: 403,
        });
      }
    }
  });

  it('tells clients what each does and takes', async () => {
    const { host } = await startAgent(new ScriptedModel([]));
    for (const { description, inputSchema } of host.server.registered.values()) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(JSON.stringify(inputSchema).length).toBeLessThan(16_384);
    }
    expect(host.server.registered.get('approve_agent_action')?.inputSchema).toMatchObject({
      required: ['session_id', 'approval_id'],
      additionalProperties: false,
      properties: { approved: { type: 'boolean', default: true }, remember: { const: 'session' } },
    });
  });

  it('refuses the agent user every one of them, over HTTP and in process', async () => {
    const { call, host } = await startAgent(new ScriptedModel([]));
    const refused = { statusCode: 403, http_resp_msg: { code: 'self_approval' } };
    const body = { message: 'x', session_id: 'x' };
    const user = await host.server.getUser('hdb_agent', null, null);
    for (const operation of OPERATIONS) {
      await expect(call(operation, body, 'hdb_agent')).rejects.toMatchObject(refused);
      for (const authorize of [true, false]) {
        const inProcess = host.server.operation({ operation, ...body }, { user }, authorize);
        await expect(inProcess).rejects.toMatchObject(refused);
      }
    }
  });

  it.each([
    ['agent_prompt', { message: '  ' }, 400, 'invalid_request', /message: is empty/],
    ['agent_prompt', { message: 'x'.repeat(262_145) }, 413, 'prompt_too_large', /262144/],
    ['agent_prompt', { message: 'hi', session_id: 'nope' }, 404, 'not_found', /nope/],
    ['get_agent_session', { session_id: 'nope' }, 404, 'not_found', /nope/],
    ['approve_agent_action', { session_id: 'nope', approval_id: 'x' }, 404, 'not_found', /nope/],
    ['set_agent_config', { maxTurns: 0 }, 400, 'invalid_request', /maxTurns/],
  ])('answers %s %o with %i %s', async (operation, body, statusCode, code, error) => {
    const { call } = await startAgent(new ScriptedModel([]));
    await expect(call(operation, body)).rejects.toMatchObject({
      statusCode,
      code,
      http_resp_msg: { error: expect.stringMatching(error), code },
    });
  });

  it('answers what nobody foresaw with 500 internal_error', async () => {
    const { call, host } = await startAgent(new ScriptedModel([]));
    host.tables.table('system', 'hdb_agent_session').search = () => {
      throw new Error('the disk is gone');
    };
    await expect(call('list_agent_sessions')).rejects.toMatchObject({
      statusCode: 500,
      http_resp_msg: { error: 'the disk is gone', code: 'internal_error' },
    });
  });

  it('knows unknown parameters from those the host adds', async () => {
    const { call } = await startAgent(new ScriptedModel([]));
    await expect(call('list_agent_sessions', { limt: 5 })).rejects.toMatchObject({ statusCode: 400 });
    await expect(call('list_agent_sessions', { limt: 5 })).rejects.toThrow('limt');
    await call('list_agent_sessions', { hdbAuthHeader: 'Basic x', bypass_auth: false, baseRequest: {} });
  });

  it('runs what a request starts outside of that request', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const model = new ScriptedModel([
      () => {
        seen.push(request.getStore());
        return reply('hi');
      },
    ]);
    const { call, settled } = await startAgent(model);
    const { session_id } = await request.run('a request', () => call('agent_prompt', { message: 'hello' }));
    expect(await settled(session_id)).toMatchObject({ status: 'completed' });
    expect(seen).toEqual([undefined]);
  });
});
