import type { Clock } from './contracts/index.js';

/** Resolves after `ms` milliseconds, or at once when the signal aborts; the caller looks at the signal. */
export function waitFor(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      stopTimer();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const stopTimer = clock.setTimer(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
