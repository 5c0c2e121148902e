import { AgentError } from '../contracts/index.js';
import type { Clock } from '../contracts/index.js';

/** How long after a failure a session is read anew, at first and at most. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** Reads a session that could not be read or written, as after a crash, until that works: its run may have to go on. */
export function createRereader(parts: {
  readonly clock: Clock;
  readonly isClosed: () => boolean;
  readonly read: (id: string) => Promise<unknown>;
}): (id: string) => void {
  const underway = new Set<string>();

  function retryAfter(id: string, delayMs: number): void {
    parts.clock.setTimer(delayMs, () => void attempt(id, delayMs));
  }

  async function attempt(id: string, delayMs: number): Promise<void> {
    const done = parts.isClosed() || (await parts.read(id).then(() => true, isUnreadable));
    if (done) underway.delete(id);
    else retryAfter(id, Math.min(delayMs * 2, LONGEST_RETRY_MS));
  }

  return (id) => {
    if (underway.has(id)) return;
    underway.add(id);
    retryAfter(id, FIRST_RETRY_MS);
  };
}

/** What is stored makes no sense to this agent, and will not by itself. */
export function isUnreadable(error: unknown): boolean {
  return (
    AgentError.isInstance(error) && (error.code === 'schema_version' || error.code === 'corrupt_journal')
  );
}
