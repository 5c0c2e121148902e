import { onAbort } from '../on-abort.js';

/** Lets a bounded number of runs work at once; further ones wait in the order they came. */
export interface Slots {
  /** Resolves when a slot is free, with what gives it back; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>;
  /** Starts what now fits: the limit may have been raised. */
  refill(): void;
}

export function createSlots(limit: () => number): Slots {
  let taken = 0;
  const waiting: { readonly start: () => void }[] = [];

  function startNext(): void {
    while (taken < limit()) {
      const next = waiting.shift();
      if (next === undefined) return;
      taken++;
      next.start();
    }
  }

  function giveBack(): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      taken--;
      startNext();
    };
  }

  return {
    refill: startNext,
    take(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const waiter = {
          start: () => {
            stopListening();
            resolve(giveBack());
          },
        };
        const stopListening = onAbort(signal, () => {
          waiting.splice(waiting.indexOf(waiter), 1);
          reject(signal.reason);
        });
        waiting.push(waiter);
        startNext();
      });
    },
  };
}
