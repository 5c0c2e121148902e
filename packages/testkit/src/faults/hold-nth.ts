import { deferred } from '../deferred.js';
import type { Fault } from './faulty.js';

/** A call that waits, before it does anything, until the test lets it go. */
export interface Hold {
  readonly fault: Fault;
  /** Resolves when the call has come. */
  readonly arrived: Promise<void>;
  release(): void;
}

/** Holds the nth call (from 1); the others pass. */
export function holdNth(nth = 1): Hold {
  const arrival = deferred();
  const released = deferred();
  return {
    arrived: arrival.promise,
    release: () => released.resolve(),
    async fault(call) {
      if (call.nth === nth) {
        arrival.resolve();
        await released.promise;
      }
      return call.proceed();
    },
  };
}
