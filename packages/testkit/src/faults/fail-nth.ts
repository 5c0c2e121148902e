import type { Fault } from './faulty.js';

/** The nth call (from 1) rejects with `error` and does nothing; the others are real. */
export function failNth(nth: number, error: unknown = new Error(`Call ${nth} fails, as injected`)): Fault {
  return (call) => {
    if (call.nth === nth) throw error;
    return call.proceed();
  };
}
