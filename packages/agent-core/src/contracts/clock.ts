/** Time as the engine sees it. Timers never keep the process alive. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms` milliseconds; the returned function cancels. */
  setTimer(ms: number, callback: () => void): () => void;
}
