import type { Clock, Entry, SessionStore } from '../contracts/index.js';
import { onAbort } from '../on-abort.js';
import { waitFor } from '../wait.js';
import type { Journal } from './journal.js';

const PAGE = 100;

/**
 * The entries after a seq, first those that are there, then each as it becomes durable: none left out, none twice. The
 * reader pulls, and what it has not pulled stays in the store, so a slow reader costs no memory. Ends when the signal
 * aborts, or when the journal can no longer be written.
 */
export async function* watchSession(
  journal: Journal,
  store: SessionStore,
  options: { readonly afterSeq: number; readonly signal: AbortSignal; readonly clock: Clock },
): AsyncGenerator<Entry, void, undefined> {
  let seen = options.afterSeq;
  while (!options.signal.aborted) {
    const durable = journal.durable.seq;
    while (seen < durable && !options.signal.aborted) {
      const page = await store.read(journal.durable.id, {
        after: seen,
        limit: Math.min(PAGE, durable - seen),
      });
      if (page.length === 0) return;
      for (const entry of page) {
        if (options.signal.aborted) return;
        seen = entry.seq;
        yield entry;
      }
    }
    if (journal.failure !== undefined) return;
    // The reader may have left while it had an entry: then nothing wakes it any more.
    if (journal.durable.seq <= seen && !options.signal.aborted) await nextMove(journal, options);
  }
}

/** Waits for the journal to move; looks again after a while all the same, and at once when the reader leaves. */
async function nextMove(
  journal: Journal,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
): Promise<void> {
  const moved = new AbortController();
  const stopListening = journal.onDurable(() => moved.abort());
  const stopWaiting = onAbort(signal, () => moved.abort());
  try {
    await waitFor(clock, 60_000, moved.signal);
  } finally {
    stopListening();
    stopWaiting();
  }
}
