import { describe, expect, it } from 'vitest';
import { answerOf, callsOf } from '../src/support/session-answer.js';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();
const missing = 'apr_none';

async function waiting(message: string) {
  const { session_id } = await running.api.prompt(message);
  return running.api.untilAwaiting(session_id);
}

describe('approvals over HTTP', () => {
  it('lists what waits with its tool and exact arguments, and runs nothing before', async () => {
    const session = await waiting('insert one');
    expect(session.pendingApprovals).toEqual([
      expect.objectContaining({
        toolName: 'insert',
        arguments: { database: 'data', table: 'note', records: [{ text: 'first' }] },
        reason: 'write',
      }),
    ]);
    expect(await running.notes('first')).toBe(0);
    const listed = await running.api.list({ status: 'awaiting_approval' });
    expect(listed.sessions.map(({ session_id }) => session_id)).toContain(session.session_id);
    await running.api.call('cancel_agent_run', { session_id: session.session_id });
  });

  it('runs an approved call and hands its result to the model', async () => {
    const { api } = running;
    const before = await running.notes('first');
    const { session_id, pendingApprovals } = await waiting('insert one');
    const decision = await api.approve(session_id, pendingApprovals[0]!.id);
    expect(decision).toMatchObject({ resolved: true, approved: true, by: running.host.admin.username });
    const ended = await api.untilEnded(session_id);
    expect(ended).toMatchObject({ status: 'completed', pendingApprovals: [] });
    expect(answerOf(ended)).toMatch(/^I read: [\s\S]*inserted 1 of 1 records/);
    expect(await running.notes('first')).toBe(before + 1);
  });

  it('runs nothing of a denied call, and its note reaches the model', async () => {
    const { api } = running;
    const before = await running.notes('first');
    const { session_id, pendingApprovals } = await waiting('insert one');
    await api.approve(session_id, pendingApprovals[0]!.id, { approved: false, note: 'not on a Monday' });
    const ended = await api.untilEnded(session_id);
    expect(callsOf(ended)).toMatchObject([{ name: 'insert', outcome: 'denied' }]);
    expect(answerOf(ended)).toContain('not on a Monday');
    expect(await running.notes('first')).toBe(before);
  });

  it('goes on when the last one of a round is decided, each as it was decided', async () => {
    const { api } = running;
    const { session_id, pendingApprovals } = await waiting('insert two');
    expect(pendingApprovals).toHaveLength(2);
    await api.approve(session_id, pendingApprovals[1]!.id);
    const half = await api.session(session_id);
    expect(half).toMatchObject({
      status: 'awaiting_approval',
      pendingApprovals: [{ id: pendingApprovals[0]!.id }],
    });
    expect(await running.notes('right')).toBe(0);
    await api.approve(session_id, pendingApprovals[0]!.id, { approved: false });
    const ended = await api.untilEnded(session_id);
    expect(callsOf(ended).map(({ outcome }) => outcome)).toEqual(['denied', 'ok']);
    expect([await running.notes('left'), await running.notes('right')]).toEqual([0, 1]);
  });

  it('answers 409 to a second decision, and it starts nothing', async () => {
    const { api } = running;
    const { session_id, pendingApprovals } = await waiting('insert one');
    const fields = { session_id, approval_id: pendingApprovals[0]!.id };
    const answers = await Promise.all([
      api.send('approve_agent_action', fields),
      api.send('approve_agent_action', fields),
    ]);
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409]);
    const ended = await api.untilEnded(session_id);
    expect((await api.send('approve_agent_action', fields)).status).toBe(409);
    expect(callsOf(ended)).toHaveLength(1);
    expect(await api.session(session_id)).toMatchObject({ seq: ended.seq, status: 'completed' });
  });

  it('answers 404 or 409 to an approval that does not exist', async () => {
    const { api } = running;
    const open = await waiting('insert one');
    const { session_id } = await api.prompt('say hello');
    await api.untilEnded(session_id);
    for (const id of [open.session_id, session_id]) {
      const { status } = await api.send('approve_agent_action', { session_id: id, approval_id: missing });
      expect([404, 409]).toContain(status);
    }
    expect((await api.session(open.session_id)).status).toBe('awaiting_approval');
    await api.call('cancel_agent_run', { session_id: open.session_id });
  });

  it('decides nothing in one session with the approval of another', async () => {
    const { api } = running;
    const [left, right] = await Promise.all([waiting('insert one'), waiting('insert one')]);
    const fields = { session_id: left.session_id, approval_id: right.pendingApprovals[0]!.id };
    expect([404, 409]).toContain((await api.send('approve_agent_action', fields)).status);
    for (const { session_id } of [left, right]) {
      expect((await api.session(session_id)).status).toBe('awaiting_approval');
      await api.call('cancel_agent_run', { session_id });
    }
  });
});
