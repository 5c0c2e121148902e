import { describe, expect, it } from 'vitest';
import { callsOf } from '../src/support/session-answer.js';
import type { SessionAnswer } from '../src/support/session-answer.js';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();

/** The prompt is there once, every call has its one result, and the session takes the next prompt. */
async function expectWhole(sessionId: string, text: string): Promise<SessionAnswer> {
  const { api } = running;
  await api.untilEnded(sessionId);
  await api.prompt('say hello', { session_id: sessionId });
  const session = await api.untilEnded(sessionId);
  expect(session.messages.filter(({ content }) => content === text)).toHaveLength(1);
  expect(session.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'hello back' });
  expect(session.status).toBe('completed');
  const results = session.messages.filter(({ role }) => role === 'tool').map(({ toolCallId }) => toolCallId);
  expect(new Set(results).size).toBe(results.length);
  expect(results).toHaveLength(callsOf(session).length);
  return session;
}

describe('kill -9 of the host', () => {
  it.each([
    { when: 'at once', entries: 1 },
    { when: 'when the model has answered', entries: 2 },
    { when: 'after the first result', entries: 3 },
    { when: 'in the second round', entries: 5 },
    { when: 'in the third round', entries: 7 },
  ])(
    'loses nothing of an accepted prompt: $when',
    async ({ entries }) => {
      const { api, host } = running;
      const text = `look around, ${entries}`;
      const { session_id } = await api.prompt(text);
      if (entries > 1) await api.until(session_id, ({ seq }) => seq >= entries);
      await host.kill();
      await host.start();
      await expectWhole(session_id, text);
    },
    60_000,
  );

  it('loses nothing of a prompt whose model call is open', async () => {
    const { api, host } = running;
    const { session_id } = await api.prompt('hang here');
    await host.kill();
    await host.start();
    expect(await api.untilEnded(session_id)).toMatchObject({ status: 'idle', stop_reason: 'interrupted' });
    await expectWhole(session_id, 'hang here');
  }, 60_000);

  it('keeps a pending approval, and what is approved afterwards runs once', async () => {
    const { api, host } = running;
    const before = await running.notes('first');
    const { session_id } = await api.prompt('insert one');
    const waiting = await api.untilAwaiting(session_id);
    await host.kill();
    await host.start();
    const after = await api.session(session_id);
    expect(after.status).toBe('awaiting_approval');
    expect(after.pendingApprovals).toEqual(waiting.pendingApprovals);
    await api.approve(session_id, after.pendingApprovals[0]!.id);
    const ended = await api.untilEnded(session_id);
    expect(callsOf(ended)).toMatchObject([{ name: 'insert', outcome: 'ok' }]);
    expect(await running.notes('first')).toBe(before + 1);
  }, 60_000);

  it('runs an approved call at most once, however early the kill comes', async () => {
    const { api, host } = running;
    const before = await running.notes('first');
    const { session_id } = await api.prompt('insert one');
    const { pendingApprovals } = await api.untilAwaiting(session_id);
    await api.approve(session_id, pendingApprovals[0]!.id);
    await host.kill();
    await host.start();
    const ended = await api.untilEnded(session_id);
    const [call] = callsOf(ended);
    const inserted = (await running.notes('first')) - before;
    // Not started: it runs now. Started without a result: nobody can know, so it does not run again.
    expect([
      { outcome: 'ok', inserted: 1 },
      { outcome: 'unknown', inserted: 1 },
      { outcome: 'unknown', inserted: 0 },
    ]).toContainEqual({ outcome: call?.outcome, inserted });
    await expectWhole(session_id, 'insert one');
  }, 60_000);
});
