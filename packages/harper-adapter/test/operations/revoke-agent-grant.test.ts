import { ScriptedModel, calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

const restart = () => calls({ name: 'restart_service', arguments: { service: 'http_workers' } });

describe('revoke_agent_grant', () => {
  it('takes back what an approval with remember granted', async () => {
    const model = new ScriptedModel([restart(), restart(), reply('twice'), restart(), reply('no more')]);
    const { host, call, settled } = await startAgent(model);
    const restarts = () =>
      host.server.calls.filter(({ body }) => body['operation'] === 'restart_service').length;
    const { session_id } = await call('agent_prompt', { message: 'restart the workers twice' });
    const [pending] = Object((await settled(session_id))['pendingApprovals']);
    const decision = { session_id, approval_id: pending.id };
    expect(await call('approve_agent_action', { ...decision, remember: 'session' })).toMatchObject({
      approved: true,
      remember: 'session',
    });
    const granted = await settled(session_id);
    expect(granted).toMatchObject({
      status: 'completed',
      grants: [{ approval_id: pending.id, by: 'admin' }],
    });
    expect(restarts()).toBe(2);

    expect(await call('revoke_agent_grant', decision)).toMatchObject({
      id: pending.id,
      revoked: true,
      by: 'admin',
    });
    await call('agent_prompt', { session_id, message: 'once more' });
    const asked = await settled(session_id);
    expect(asked).toMatchObject({ status: 'awaiting_approval', grants: [] });
    expect(restarts()).toBe(2);
    const [again] = Object(asked['pendingApprovals']);
    await call('approve_agent_action', { session_id, approval_id: again.id, approved: false });
    expect(await settled(session_id)).toMatchObject({ status: 'completed' });
    expect(restarts()).toBe(2);
    await expect(call('revoke_agent_grant', decision)).rejects.toMatchObject({ statusCode: 404 });
    model.assertDone();
  });

  it('grants nothing that is grave, and nothing with a denial', async () => {
    const model = new ScriptedModel([calls({ name: 'drop_table', arguments: { table: 'dog' } })]);
    const { call, settled } = await startAgent(model, { allowDestructive: true });
    const { session_id } = await call('agent_prompt', { message: 'drop the dogs' });
    const [pending] = Object((await settled(session_id))['pendingApprovals']);
    const decision = { session_id, approval_id: pending.id };
    for (const wrong of [
      { remember: 'session' },
      { remember: 'session', approved: false },
      { remember: 'always' },
    ]) {
      await expect(call('approve_agent_action', { ...decision, ...wrong })).rejects.toMatchObject({
        statusCode: 400,
      });
    }
    expect(await call('get_agent_session', { session_id })).toMatchObject({
      status: 'awaiting_approval',
      grants: [],
    });
  });
});
