/** What keeps schedules small. Durations are in milliseconds. */
export interface ScheduleLimits {
  /** Followups of one session, failed ones included. */
  readonly perSession: number;
  /** Followups of all sessions together. */
  readonly total: number;
  /** UTF-8 bytes of one prompt. */
  readonly promptBytes: number;
  /** The shortest delay and the shortest interval. */
  readonly minDelayMs: number;
  /** The longest delay, the longest interval, and how far ahead a repetition may end. */
  readonly maxDelayMs: number;
  /** Deliveries that may be under way at once. */
  readonly concurrentDeliveries: number;
  /** How long one delivery may take; afterwards it counts as failed. */
  readonly deliveryMs: number;
  /** How often one due time is tried before it is given up. */
  readonly attempts: number;
}

export const DEFAULT_SCHEDULE_LIMITS: ScheduleLimits = {
  perSession: 20,
  total: 1000,
  promptBytes: 16 * 1024,
  minDelayMs: 10_000,
  maxDelayMs: 30 * 24 * 60 * 60 * 1000,
  concurrentDeliveries: 8,
  deliveryMs: 10_000,
  attempts: 5,
};
