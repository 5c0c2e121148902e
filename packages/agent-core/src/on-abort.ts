interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back once when the signal aborts, not if it has; the returned function stops that. A signal gets one listener,
 * however many wait on it, and none when nobody does: a long-lived signal must not collect them.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, listener } = waiting.get(signal) ?? listen(signal);
  // Of its own, so that one function can wait twice.
  const call = (): void => callback();
  callbacks.add(call);
  return () => {
    callbacks.delete(call);
    if (callbacks.size > 0 || waiting.get(signal)?.callbacks !== callbacks) return;
    signal.removeEventListener('abort', listener);
    waiting.delete(signal);
  };
}

function listen(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const made = { callbacks, listener: () => callAll(callbacks) };
  signal.addEventListener('abort', made.listener, { once: true });
  waiting.set(signal, made);
  return made;
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
