import type { Clock } from './contracts/index.js';

/** The real time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
