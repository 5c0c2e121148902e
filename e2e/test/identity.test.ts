import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentApi } from '../src/support/agent-api.js';
import { AGENT_OPERATIONS } from '../src/support/agent-operations.js';
import { pollUntil } from '../src/support/poll-until.js';
import { startAgentHost } from '../src/support/start-agent-host.js';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();
const scenarios = new URL('models/scenarios.mjs', import.meta.url);

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

describe('whom the agent acts as', () => {
  it('is made once, with a role of its own, and kept over restarts', async () => {
    const { host, api } = running;
    const users = async () => JSON.stringify(await api.call('list_users'));
    expect((await users()).split('"username":"hdb_agent"')).toHaveLength(2);
    const roles = JSON.stringify(await api.call('list_roles'));
    expect(roles.split('"role":"hdb_agent"')).toHaveLength(2);
    await host.kill();
    await host.start();
    expect((await users()).split('"username":"hdb_agent"')).toHaveLength(2);
    expect(JSON.stringify(await api.call('list_roles'))).toBe(roles);
  });

  it('takes no prompt while it is missing, inactive or gone, and works again when it is back', async () => {
    const { api } = running;
    const disabled = (reason: RegExp) => ({
      status: 503,
      body: { error: expect.stringMatching(reason), code: 'agent_disabled' },
    });
    const prompt = () => api.send('agent_prompt', { message: 'say hello' });
    await api.call('alter_user', { username: 'hdb_agent', active: false });
    expect(await prompt()).toEqual(disabled(/'hdb_agent' is inactive/));
    expect((await api.send('list_agent_sessions')).status).toBe(200);
    await api.call('alter_user', { username: 'hdb_agent', active: true });
    expect((await prompt()).status).toBe(200);

    await api.call('drop_user', { username: 'hdb_agent' });
    expect(await prompt()).toEqual(disabled(/no user 'hdb_agent'/));
    const again = { username: 'hdb_agent', password: 'x-y-z-1', role: 'hdb_agent', active: true };
    await api.call('add_user', again);
    expect((await prompt()).status).toBe(200);
  });

  it('starts by itself when its user is there, and warns of a list that bounds no super_user', async () => {
    const host = await startAgentHost({ model: scenarios, agent: { user: 'robot' } });
    try {
      const api = new AgentApi(host);
      expect(await api.send('agent_prompt', { message: 'say hello' })).toMatchObject({ status: 503 });
      const permission = { super_user: true, operations: ['read_only'] };
      await api.call('add_role', { role: 'robots', permission });
      await api.call('add_user', { username: 'robot', password: 'x-y-z-1', role: 'robots', active: true });
      const answered = await pollUntil(
        () => api.send('agent_prompt', { message: 'say hello' }),
        ({ status }) => status === 200,
      );
      const { session_id } = z.object({ session_id: z.string() }).parse(answered.body);
      expect((await api.untilEnded(session_id)).status).toBe('completed');
      const log = await readFile(host.logPath, 'utf8');
      expect(log).toMatch(/warn.*the role of 'robot' lists operations, but is a super_user/);
      expect(log.split('Agent component initialized')).toHaveLength(2);
      expect(JSON.stringify(await api.call('list_users'))).not.toContain('hdb_agent');
    } finally {
      await host.stop();
    }
  }, 40_000);
});
