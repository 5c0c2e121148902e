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

  it('refuses the agent user every one of them', async () => {
    const { call } = await startAgent(new ScriptedModel([]));
    for (const name of OPERATIONS) {
      await expect(call(name, { message: 'x', session_id: 'x' }, 'hdb_agent')).rejects.toMatchObject({
        statusCode: 403,
        code: 'self_approval',
      });
    }
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
