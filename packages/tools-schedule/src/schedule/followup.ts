/**
 * A prompt that its session gets later, as it is stored: plain JSON. Times are milliseconds since the epoch, so they
 * mean the same after a restart.
 */
export interface Followup {
  readonly id: string;
  /** Counts the writes of this row, from 1; a writer names the one it has seen. */
  readonly revision: number;
  readonly sessionId: string;
  readonly prompt: string;
  readonly createdAt: number;
  /** Milliseconds between due times; absent: it runs once. */
  readonly every?: number;
  /** With `every`: no run is due after it. */
  readonly until?: number;
  /** The due time that is next, or being delivered. */
  readonly dueAt: number;
  /**
   * When the scheduler has to look at it again: its due time, the end of a claim, the next attempt, or the day a
   * failed one is cleared away.
   */
  readonly wakeAt: number;
  /** Due times before `dueAt` that passed without a delivery; the next delivery speaks for them. */
  readonly missed: number;
  /** Deliveries begun for `dueAt`. */
  readonly attempts: number;
  /** Deliveries that were taken, over all due times. */
  readonly delivered: number;
  /** Due times given up since the last delivery that was taken. */
  readonly givenUp: number;
  /** Why the last delivery failed; cleared by one that is taken. */
  readonly lastError?: string;
  /** When it failed for good: it will not be tried again and only waits to be seen. */
  readonly failedAt?: number;
}
