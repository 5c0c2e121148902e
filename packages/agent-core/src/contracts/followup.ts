import type { StopReason } from './session.js';

/**
 * `pending`: waits for its due time · `firing`: its prompt is being handed to the session, and is handed over again, under
 * the same id, if the process ends meanwhile · `done`: handed over, and there is no further due time · `missed`: nothing
 * ran when it was due, and it came too late to make up for it · `failed`: the session did not take it, time and again ·
 * `cancelled`.
 */
export type FollowupState = 'pending' | 'firing' | 'done' | 'missed' | 'failed' | 'cancelled';

/** The run that a followup's last prompt belongs to. */
export interface FollowupRun {
  /** Which due time it was, counted from 1. */
  readonly slot: number;
  /** When the session took the prompt. */
  readonly at: number;
  /** How the run ended; absent while that is not known. */
  readonly reason?: StopReason;
  readonly error?: string;
}

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
  readonly state: FollowupState;
  /** Milliseconds between due times; absent: it runs once. */
  readonly every?: number;
  /** With `every`: no run is due after it. */
  readonly until?: number;
  /** The due time that is next, or being delivered; which one it is, counted from 1. */
  readonly dueAt: number;
  readonly slot: number;
  /** When the scheduler has to look at it again: due time, end of a claim, next attempt, or the end of its listing. */
  readonly wakeAt: number;
  /** Due times before `dueAt` that passed without a delivery; the next delivery speaks for them. */
  readonly missed: number;
  /** Deliveries begun for `dueAt`. */
  readonly attempts: number;
  /** Deliveries that were taken, over all due times. */
  readonly delivered: number;
  /** Due times given up since the last delivery that was taken. */
  readonly givenUp: number;
  /** It waits for the next prompt of an operator: the session's budget, or its number of runs without one, is used up. */
  readonly paused?: 'budget' | 'unattended';
  /** Why the last delivery failed; cleared by one that is taken. */
  readonly lastError?: string;
  readonly lastRun?: FollowupRun;
  /** When it became `done`, `missed`, `failed` or `cancelled`. */
  readonly settledAt?: number;
}

/**
 * Where followups live. Whatever a promise resolved for survives a SIGKILL of the process. Values are plain JSON; what
 * is handed in or out is a copy.
 */
export interface FollowupStore {
  /** All followups, in no particular order. */
  list(): Promise<readonly Followup[]>;
  /**
   * Writes the followup when the stored revision of its id is `expected` (0: there is none), atomically over all
   * writers; resolves with false, and has written nothing, when it is not.
   */
  write(followup: Followup, expected: number): Promise<boolean>;
  /** Removes it, whatever its revision; no error when there is none. */
  delete(id: string): Promise<void>;
}
