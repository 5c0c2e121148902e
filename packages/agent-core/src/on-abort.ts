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

function callAll(callbacks: Set<() => void>): void {
  for (const callback of callbacks) callback();
  callbacks.clear();
}
