import { ScriptedModel, calls, createFakeClock, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

describe('approve_agent_action', () => {
  const gated = () =>
    new ScriptedModel([calls({ name: 'drop_table', arguments: { table: 'dog' } }), reply('Dropped.')]);
  const isDrop = ({ body }: { readonly body: Record<string, unknown> }) => body['operation'] === 'drop_table';

  it('lets a gated call run exactly once, after the decision', async () => {
    const { host, call, settled } = await startAgent(gated(), { allowDestructive: true });
    const { session_id } = await call('agent_prompt', { message: 'drop the dogs' });
    const waiting = await settled(session_id);
    expect(waiting['status']).toBe('awaiting_approval');
    expect(waiting['pendingApprovals']).toMatchObject([
      { toolName: 'drop_table', arguments: { table: 'dog' }, reason: 'destructive' },
    ]);
    expect(host.server.calls.filter(isDrop)).toEqual([]);
    const listed = await call('list_agent_sessions', { status: 'awaiting_approval' });
    expect(listed['sessions']).toMatchObject([
      { session_id, pendingApprovals: [{ toolName: 'drop_table' }] },
    ]);
    expect(JSON.stringify(listed)).not.toContain('"dog"');

    const [pending] = Object(waiting['pendingApprovals']);
    const decision = { session_id, approval_id: pending.id, note: 'go ahead' };
    expect(await call('approve_agent_action', decision)).toMatchObject({
      id: pending.id,
      toolName: 'drop_table',
      arguments: { table: 'dog' },
      reason: 'destructive',
      createdAt: pending.createdAt,
      resolved: true,
      approved: true,
      by: 'admin',
      note: 'go ahead',
    });
    expect(await settled(session_id)).toMatchObject({ status: 'completed' });
    expect(host.server.calls.filter(isDrop)).toHaveLength(1);
    expect(host.server.calls.find(isDrop)).toMatchObject({
      authorize: true,
      user: { username: 'hdb_agent' },
    });
    await expect(call('approve_agent_action', decision)).rejects.toMatchObject({ statusCode: 409 });
  });

  it('decides what nobody has looked at for a day, and the list tells how long it waits', async () => {
    const day = 24 * 3600 * 1000;
    const clock = createFakeClock();
    const { host, call, settled } = await startAgent(gated(), { allowDestructive: true }, { clock });
    const { session_id } = await call('agent_prompt', { message: 'drop the dogs' });
    await settled(session_id);
    await clock.advance(day);
    const { sessions } = await call('list_agent_sessions', { status: 'awaiting_approval' });
    const [{ pendingApprovals }] = Object(sessions);
    expect(pendingApprovals).toMatchObject([{ toolName: 'drop_table', age_ms: day }]);
    await call('approve_agent_action', { session_id, approval_id: pendingApprovals[0].id });
    expect(await settled(session_id)).toMatchObject({ status: 'completed' });
    expect(host.server.calls.filter(isDrop)).toHaveLength(1);
  });

  it('keeps a denied call from running', async () => {
    const { host, call, settled } = await startAgent(gated(), { allowDestructive: true });
    const { session_id } = await call('agent_prompt', { message: 'drop the dogs' });
    const [pending] = Object((await settled(session_id))['pendingApprovals']);
    await call('approve_agent_action', { session_id, approval_id: pending.id, approved: false });
    expect(await settled(session_id)).toMatchObject({ status: 'completed' });
    expect(host.server.calls.filter(isDrop)).toEqual([]);
  });

  it('does not know approvals that were never asked', async () => {
    const { call, settled } = await startAgent(new ScriptedModel([reply('hi')]));
    const { session_id } = await call('agent_prompt', { message: 'hello' });
    await settled(session_id);
    const unknown = call('approve_agent_action', { session_id, approval_id: 'nope' });
    await expect(unknown).rejects.toMatchObject({ statusCode: expect.toBeOneOf([404, 409]) });
  });
});
