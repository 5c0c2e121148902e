import { describe, expect, it } from 'vitest';
import { answerOf } from '../src/support/session-answer.js';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();

describe('sessions side by side', () => {
  it('does not mix two that are prompted in one moment', async () => {
    const { api } = running;
    const words = ['remember heron', 'remember otter', 'remember lynx', 'remember stoat'];
    const receipts = await Promise.all(words.map((word) => api.prompt(word)));
    expect(new Set(receipts.map(({ session_id }) => session_id)).size).toBe(words.length);
    for (const [index, word] of words.entries()) {
      const session = await api.untilEnded(receipts[index]!.session_id);
      expect(session.status).toBe('completed');
      expect(answerOf(session)).toBe(word);
      expect(session.totals).toEqual(expect.objectContaining({ rounds: 2, tool_calls: 1 }));
    }
  });

  it('answers other sessions while one hangs and one waits', async () => {
    const { api } = running;
    const hanging = await api.prompt('hang here');
    const waiting = await api.prompt('insert one');
    await api.untilAwaiting(waiting.session_id);
    const { session_id } = await api.prompt('say hello');
    expect((await api.untilEnded(session_id)).status).toBe('completed');
    expect((await api.session(hanging.session_id)).status).toBe('running');
    for (const open of [hanging, waiting])
      await api.call('cancel_agent_run', { session_id: open.session_id });
  });

  it('gives two prompts of one session to the model in the order they were accepted', async () => {
    const { api } = running;
    const { session_id } = await api.prompt('insert one');
    await api.untilAwaiting(session_id);
    await api.prompt('remember the second', { session_id });
    await api.prompt('remember the third', { session_id });
    expect((await api.session(session_id)).status).toBe('awaiting_approval');
    const { session } = await api.approveToTheEnd(session_id);
    expect(session.status).toBe('completed');
    expect(answerOf(session)).toBe('insert one / remember the second / remember the third');
  });

  it('takes a repeated message id once', async () => {
    const { api } = running;
    const first = await api.prompt('say hello', { message_id: 'client-1' });
    const again = await api.prompt('say hello', { message_id: 'client-1' });
    expect([again.session_id, again.message_id]).toEqual([first.session_id, 'client-1']);
    const session = await api.untilEnded(first.session_id);
    expect(session.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  it('lists every session once, page by page, newest first', async () => {
    const { api } = running;
    const all = (await api.list({ limit: 1000 })).sessions.map(({ session_id }) => session_id);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof api.list>> = await api.list({
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      });
      paged.push(...page.sessions.map(({ session_id }) => session_id));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(all.length).toBeGreaterThanOrEqual(9);
    expect(paged).toEqual(all);
  });
});
