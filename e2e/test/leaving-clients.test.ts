import { describe, expect, it } from 'vitest';
import { readEvents } from './support/read-events.js';
import { useAgentHost } from './support/use-agent-host.js';

const running = useAgentHost();

/** Follows a session as server-sent events: the first so many, then the client leaves. */
async function watch(sessionId: string, afterSeq: number, count: number) {
  const { username, password } = running.host.admin;
  const leave = new AbortController();
  const response = await fetch(running.host.operationsUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    },
    body: JSON.stringify({ operation: 'watch_agent_session', session_id: sessionId, after_seq: afterSeq }),
    signal: AbortSignal.any([leave.signal, AbortSignal.timeout(10_000)]),
  });
  const events = await readEvents(response.body ?? [], count);
  leave.abort();
  return events.map(({ event, id }) => [event, Number(id)]);
}

describe('a client that leaves', () => {
  it('ends no run, and finds every event once when it comes back', async () => {
    const { session_id } = await running.api.prompt('insert one');
    const before = await watch(session_id, 0, 3);
    expect(before.map(([kind]) => kind)).toEqual(['prompt', 'round', 'ask']);
    const { pendingApprovals } = await running.api.untilAwaiting(session_id);
    await running.api.approve(session_id, pendingApprovals[0]!.id);
    const ended = await running.api.untilEnded(session_id);
    expect(ended).toMatchObject({ status: 'completed', stop_reason: 'answered' });
    const after = await watch(session_id, 3, ended.seq - 3);
    expect([...before, ...after]).toEqual(ended.entries.map(({ kind, seq }) => [kind, seq]));
  });

  it('may leave a request that waits, and ask again', async () => {
    const { session_id } = await running.api.prompt('say hello');
    const { seq } = await running.api.untilEnded(session_id);
    const leave = new AbortController();
    const fields = { session_id, after_seq: seq, wait_seconds: 50 };
    const waiting = running.api.send('get_agent_session', fields, { signal: leave.signal });
    const other = running.api.send('get_agent_session', fields);
    leave.abort();
    await expect(waiting).rejects.toThrow('abort');
    await running.api.prompt('say hello', { session_id });
    expect(await other).toMatchObject({
      status: 200,
      body: { session_id, entries: [{ kind: 'prompt', seq: seq + 1 }] },
    });
  });
});
