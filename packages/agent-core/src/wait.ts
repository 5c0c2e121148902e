import type { Clock } from './contracts/index.js';
import { onAbort } from './on-abort.js';

/** Resolves after `ms` milliseconds, or at once when the signal aborts; the caller looks at the signal. */
export function waitFor(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      stopTimer();
      stopListening?.();
      resolve();
    };
    const stopTimer = clock.setTimer(ms, done);
    const stopListening = signal && onAbort(signal, done);
  });
}
