import { describe, expect, it } from 'vitest';
import { AGENT_OPERATIONS } from '../src/support/agent-operations.js';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();

describe('who may use the agent', () => {
  it('refuses the agent itself every operation of the agent, as self_approval', async () => {
    const { api } = running;
    const agent = { username: 'hdb_agent', password: 'known-now-1' };
    await api.call('alter_user', agent);
    const { session_id } = await api.prompt('insert one');
    const { pendingApprovals } = await api.untilAwaiting(session_id);
    expect((await api.send('describe_all', {}, { as: agent })).status).toBe(200);
    for (const [name, fields] of AGENT_OPERATIONS) {
      const real = {
        ...fields,
        ...('session_id' in fields ? { session_id } : {}),
        ...('approval_id' in fields ? { approval_id: pendingApprovals[0]!.id } : {}),
      };
      const answer = await api.send(name, real, { as: agent });
      expect({ name, ...answer }).toMatchObject({
        name,
        status: 403,
        body: { error: expect.stringContaining('self_approval') },
      });
    }
    expect((await api.session(session_id)).pendingApprovals).toEqual(pendingApprovals);
    await api.call('cancel_agent_run', { session_id });
  });

  it('refuses a plain user (403) and nobody (401)', async () => {
    const { api } = running;
    const plain = { username: 'plain', password: 'not-super-1' };
    await api.call('add_role', { role: 'plain', permission: { super_user: false } });
    await api.call('add_user', { ...plain, role: 'plain', active: true });
    for (const [name, fields] of AGENT_OPERATIONS) {
      const [asPlain, asNobody] = [
        await api.send(name, fields, { as: plain }),
        await api.send(name, fields, { as: 'nobody' }),
      ];
      expect([name, asPlain.status, asNobody.status]).toEqual([name, 403, 401]);
    }
    expect((await api.list()).sessions.filter(({ user }) => user === 'plain')).toEqual([]);
  });

  it('lets another super_user in, and names it', async () => {
    const { api } = running;
    const other = { username: 'other', password: 'super-too-1' };
    await api.call('add_role', { role: 'boss', permission: { super_user: true } });
    await api.call('add_user', { ...other, role: 'boss', active: true });
    const { status, body } = await api.send('agent_prompt', { message: 'say hello' }, { as: other });
    expect([status, body]).toEqual([200, expect.objectContaining({ session_id: expect.any(String) })]);
    expect((await api.list()).sessions[0]).toMatchObject({ user: 'other' });
  });
});
