/** Who waits for something about a key. */
export interface Waiters<Key extends object> {
  /** Resolves when `done` holds (looked at after every `wake`) or the time is over; rejects when `signal` aborts. */
  until(key: Key, done: () => boolean, ms: number, signal: AbortSignal): Promise<void>;
  wake(key: Key): void;
  wakeAll(): void;
}

export function createWaiters<Key extends object>(): Waiters<Key> {
  const waiting = new Map<Key, Set<() => void>>();

  return {
    until(key, done, ms, signal) {
      return new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', abort);
          looks.delete(look);
          if (looks.size === 0) waiting.delete(key);
          settle();
        };
        const look = () => {
          if (done()) finish(resolve);
        };
        const abort = () => finish(() => reject(signal.reason));
        const looks = waiting.get(key) ?? new Set();
        waiting.set(key, looks.add(look));
        const timer = setTimeout(() => finish(resolve), ms).unref();
        signal.addEventListener('abort', abort, { once: true });
        if (signal.aborted) abort();
        else look();
      });
    },
    wake(key) {
      for (const look of waiting.get(key) ?? []) look();
    },
    wakeAll() {
      for (const looks of waiting.values()) for (const look of looks) look();
    },
  };
}
