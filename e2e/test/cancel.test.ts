import { describe, expect, it } from 'vitest';
import { callsOf } from '../src/support/session-answer.js';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();

describe('cancel over HTTP', () => {
  it('ends a model call that would never answer, and the session takes the next prompt', async () => {
    const { api } = running;
    const { session_id } = await api.prompt('hang here');
    expect(await api.call('cancel_agent_run', { session_id })).toEqual({
      session_id,
      cancelled: true,
      signalledLiveRun: true,
    });
    expect(await api.untilEnded(session_id)).toMatchObject({ status: 'aborted', stop_reason: 'cancelled' });
    await api.prompt('say hello', { session_id });
    expect(await api.untilEnded(session_id)).toMatchObject({ status: 'completed', stop_reason: 'answered' });
  });

  it('voids what waits for approval: nothing of it runs, and it can no longer be approved', async () => {
    const { api } = running;
    const { session_id } = await api.prompt('insert two');
    const { pendingApprovals } = await api.untilAwaiting(session_id);
    expect(await api.call('cancel_agent_run', { session_id })).toMatchObject({ cancelled: true });
    const ended = await api.untilEnded(session_id);
    expect(ended).toMatchObject({ status: 'aborted', pendingApprovals: [] });
    expect(callsOf(ended).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
    for (const { id } of pendingApprovals) {
      expect((await api.send('approve_agent_action', { session_id, approval_id: id })).status).toBe(409);
    }
    expect([await running.notes('left'), await running.notes('right')]).toEqual([0, 0]);
    expect((await api.session(session_id)).status).toBe('aborted');
  });

  it('answers cancelled: false where nothing runs', async () => {
    const { api } = running;
    const { session_id } = await api.prompt('say hello');
    const ended = await api.untilEnded(session_id);
    expect(await api.call('cancel_agent_run', { session_id })).toEqual({
      session_id,
      cancelled: false,
      signalledLiveRun: false,
    });
    expect(await api.session(session_id)).toMatchObject({ status: 'completed', seq: ended.seq });
  });
});
