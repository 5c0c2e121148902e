import type { Agent } from '@harperfast/agent-core';
import type { Clock } from '@harperfast/agent-core/contracts';

/** Waits for an entry after a seq, for at most so many milliseconds. Rejects where the session is not there. */
export async function waitForEntry(
  { agent, clock }: { readonly agent: Pick<Agent, 'watch'>; readonly clock: Clock },
  sessionId: string,
  { afterSeq, forMs }: { readonly afterSeq: number; readonly forMs: number },
): Promise<void> {
  const enough = new AbortController();
  const stopTimer = clock.setTimer(forMs, () => enough.abort());
  try {
    const entries = await agent.watch(sessionId, { afterSeq, signal: enough.signal });
    for await (const _entry of entries) return;
  } finally {
    stopTimer();
    enough.abort();
  }
}
