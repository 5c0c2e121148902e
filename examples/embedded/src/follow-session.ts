import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient, PendingCall, SessionAnswer, SessionEntry } from './agent-client.js';

/** How to follow a session to the end of its run. */
export interface FollowOptions {
  readonly client: AgentClient;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  /** Entries up to this one were seen already. */
  readonly afterSeq?: number;
  readonly onEntry: (entry: SessionEntry) => void;
  /** Called once for every call that waits for a decision. */
  readonly onPending: (pending: PendingCall) => Promise<void>;
}

const POLL_MS = 150;

/**
 * Reads the journal as it grows until the run is over and every entry was seen; resolves with the last answer.
 * Rejects with the signal's reason.
 */
export async function followSession({
  client,
  sessionId,
  signal,
  afterSeq = 0,
  onEntry,
  onPending,
}: FollowOptions): Promise<SessionAnswer> {
  const asked = new Set<string>();
  let seen = afterSeq;
  for (;;) {
    signal.throwIfAborted();
    const session = await client.session(sessionId, seen);
    for (const entry of session.entries) {
      onEntry(entry);
      seen = entry.seq;
    }
    for (const pending of session.pendingApprovals) {
      if (asked.has(pending.id)) continue;
      asked.add(pending.id);
      await onPending(pending);
    }
    const atWork = session.status === 'running' || session.status === 'awaiting_approval';
    if (!atWork && seen >= session.seq) return session;
    if (seen >= session.seq) await delay(POLL_MS, undefined, { signal });
  }
}
