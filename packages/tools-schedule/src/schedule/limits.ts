/** What keeps schedules small. Names in `Ms` are milliseconds. */
export interface ScheduleLimits {
  /** Followups of one session that are still to come. */
  readonly perSession: number;
  /** Those of all sessions together. */
  readonly total: number;
  /** UTF-8 bytes of one prompt. */
  readonly promptBytes: number;
  /** The shortest delay and the shortest interval. */
  readonly minDelayMs: number;
  /** The longest delay, the longest interval, and how far ahead a repetition may end. */
  readonly maxDelayMs: number;
  /** How late a followup may come when nothing ran at its due time; later than that it is missed. */
  readonly graceSeconds: number;
  /** Deliveries that may be under way at once. */
  readonly concurrentDeliveries: number;
  /** How long one delivery may take; afterwards it counts as failed. */
  readonly deliveryMs: number;
  /** How often one due time is tried before it is given up. */
  readonly attempts: number;
  /** Alerts a session may raise within an hour. */
  readonly alertsPerHour: number;
}

export const DEFAULT_SCHEDULE_LIMITS: ScheduleLimits = {
  perSession: 20,
  total: 1000,
  promptBytes: 16 * 1024,
  minDelayMs: 10_000,
  maxDelayMs: 30 * 24 * 60 * 60 * 1000,
  graceSeconds: 24 * 60 * 60,
  concurrentDeliveries: 8,
  deliveryMs: 10_000,
  attempts: 5,
  alertsPerHour: 20,
};
