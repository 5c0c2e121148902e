import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Entry } from '@harperfast/agent-core/contracts';

/** One event as Harper renders it: the kind of the entry, the entry, its seq. A `ping` has no id and says nothing. */
export type SessionEvent =
  | { readonly event: Entry['kind']; readonly data: Entry; readonly id: number }
  | { readonly event: 'ping'; readonly data: Record<string, never> };

/** Servers and proxies on the way close what is silent for too long, Harper itself after two minutes. */
const KEEP_ALIVE_MS = 20_000;
const PING: SessionEvent = { event: 'ping', data: {} };

/**
 * Entries as events, with a `ping` whenever nothing came for 20 s. `return()` aborts `left` at once, also while
 * `next()` waits, and leaves no timer behind. Everything runs in the context of this call, not of who reads.
 */
export function toEvents(
  entries: AsyncGenerator<Entry, void, undefined>,
  { left, clock }: { readonly left: AbortController; readonly clock: Clock },
): AsyncIterableIterator<SessionEvent, void, undefined> {
  const inOwnContext = AsyncLocalStorage.snapshot();

  async function* generate(): AsyncGenerator<SessionEvent, void, undefined> {
    let next = entries.next();
    try {
      for (;;) {
        const step = await untilQuiet(next, clock);
        if (step === undefined) {
          yield PING;
          continue;
        }
        if (step.done === true) return;
        yield { event: step.value.kind, data: step.value, id: step.value.seq };
        next = entries.next();
      }
    } finally {
      left.abort();
      // Who left during a ping does not hear what became of it.
      next.catch(() => undefined);
      await entries.return();
    }
  }

  const events = generate();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => inOwnContext(() => events.next()),
    async return() {
      // First: a generator hears of a return only when what it waits for is over.
      left.abort();
      return inOwnContext(() => events.return());
    },
  };
}

/** What comes next, or `undefined` after the time of silence. */
function untilQuiet<Step>(next: Promise<Step>, clock: Clock): Promise<Step | undefined> {
  return new Promise((resolve, reject) => {
    const stop = clock.setTimer(KEEP_ALIVE_MS, () => resolve(undefined));
    next.then(resolve, reject).finally(stop);
  });
}
