import type { Clock } from './contracts/index.js';

/** Node turns a longer timeout into one of a millisecond. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The real time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, callback) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const slice = Math.min(left, LONGEST_TIMEOUT_MS);
      timer = setTimeout(() => (left > slice ? wait(left - slice) : callback()), slice);
      timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
