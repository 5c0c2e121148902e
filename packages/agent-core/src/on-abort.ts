const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal aborts, not if it has; the returned function stops that. A signal gets one listener,
 * however many wait on it: adding and removing listeners costs more than all else of a short wait.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = waiting.get(signal);
  if (callbacks === undefined) {
    const made = new Set<() => void>();
    signal.addEventListener('abort', () => callAll(made), { once: true });
    waiting.set(signal, made);
    callbacks = made;
  }
  // Of its own, so that one function can wait twice.
  const call = (): void => callback();
  callbacks.add(call);
  return () => void callbacks.delete(call);
}

/** All are called, whatever one of them throws or does to the others; the first failure goes on to the host. */
function callAll(callbacks: Set<() => void>): void {
  const failures: unknown[] = [];
  const due = [...callbacks];
  for (const callback of due) {
    // One of those before it may have stopped it.
    if (!callbacks.delete(callback)) continue;
    try {
      callback();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
