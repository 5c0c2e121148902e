import type { EmbeddedHost } from '@harperfast/agent-testkit/host';

/** The names of the events of a session from its beginning to the first one of this name; rejects after 10 s. */
export async function watchUntil(
  host: EmbeddedHost,
  sessionId: string,
  event: string,
): Promise<readonly string[]> {
  const { username, password } = host.admin;
  const leave = new AbortController();
  const signal = AbortSignal.any([leave.signal, AbortSignal.timeout(10_000)]);
  const response = await fetch(host.operationsUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    },
    body: JSON.stringify({ operation: 'watch_agent_session', session_id: sessionId }),
    signal,
  });
  try {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const seen = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name = '']) => name);
      if (seen.includes(event)) return seen;
    }
    throw new Error(`The events of ${sessionId} ended without '${event}': ${text.slice(0, 500)}`);
  } finally {
    leave.abort();
  }
}
