import { ScriptedModel, calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

describe('delete_agent_session', () => {
  it('removes a session with every entry', async () => {
    const { host, call, settled } = await startAgent(new ScriptedModel(() => reply('hi')));
    const { session_id } = await call('agent_prompt', { message: 'a secret question' });
    const kept = await call('agent_prompt', { message: 'another' });
    await settled(session_id);
    await settled(kept['session_id']);
    expect(await call('delete_agent_session', { session_id })).toEqual({ session_id, deleted: true });
    for (const name of ['get_agent_session', 'delete_agent_session', 'cancel_agent_run']) {
      await expect(call(name, { session_id })).rejects.toMatchObject({ statusCode: 404 });
    }
    const rows: unknown[] = [];
    for (const name of ['hdb_agent_session', 'hdb_agent_item']) {
      for await (const row of host.tables.table('system', name).search({})) rows.push(row);
    }
    expect(JSON.stringify(rows)).not.toContain('secret question');
    expect(JSON.stringify(rows)).toContain('another');
  });

  it('ends what runs and what waits first', async () => {
    const model = new ScriptedModel([calls({ name: 'drop_table', arguments: { table: 'dog' } })]);
    const { host, call, settled } = await startAgent(model, { allowDestructive: true });
    const { session_id } = await call('agent_prompt', { message: 'drop the dogs' });
    const [pending] = Object((await settled(session_id))['pendingApprovals']);
    await call('delete_agent_session', { session_id });
    await expect(call('approve_agent_action', { session_id, approval_id: pending.id })).rejects.toMatchObject(
      { statusCode: 404 },
    );
    expect(host.server.calls.filter(({ body }) => body['operation'] === 'drop_table')).toEqual([]);
    expect(await call('list_agent_sessions')).toMatchObject({ sessions: [] });
  });

  it('names what is wrong with a request', async () => {
    const { call } = await startAgent(new ScriptedModel([]));
    await expect(call('delete_agent_session')).rejects.toMatchObject({ statusCode: 400 });
    await expect(call('delete_agent_session', { session_id: 'nope' })).rejects.toMatchObject({
      statusCode: 404,
    });
  });
});
