import { randomBytes } from 'node:crypto';
import type { Clock, Entry, FollowupStore, Logger, ToolProvider } from '@harperfast/agent-core/contracts';
import type { AlertOperator } from './schedule/alert.js';
import type { Deliver } from './schedule/delivery.js';
import { DEFAULT_SCHEDULE_LIMITS } from './schedule/limits.js';
import type { ScheduleLimits } from './schedule/limits.js';
import { createScheduler } from './schedule/scheduler.js';
import { alertOperator } from './tools/alert-operator.js';
import { cancelFollowup } from './tools/cancel-followup.js';
import { listFollowups } from './tools/list-followups.js';
import { scheduleFollowup } from './tools/schedule-followup.js';

export interface ScheduleToolsOptions {
  readonly store: FollowupStore;
  readonly clock: Clock;
  /** Takes a due followup to its session. */
  readonly deliver: Deliver;
  /** Brings an alert before the operator. Without it there is no `alert_operator`, and the pack's own alerts are logged. */
  readonly alert?: AlertOperator;
  readonly limits?: Partial<ScheduleLimits>;
  /** Takes secrets out of a prompt before it is kept. */
  readonly redact?: (prompt: string) => string | Promise<string>;
  /** Ids of followups, short enough for a model to repeat, and never given twice. */
  readonly newId?: () => string;
  /** Hears of deliveries that fail. */
  readonly logger?: Logger;
}

/** The pack's provider. */
export interface ScheduleTools extends ToolProvider {
  /** Brings the stored followups to life; called once the host can take them. */
  start(): Promise<void>;
  /**
   * To be called with what is written to a session's journal, as the option `onEntries` of the agent gives it: so the
   * pack learns how runs end and when an operator prompts. Without it no followup waits for the run of the one before,
   * nothing is paused by a budget, and paused followups stay so.
   */
  observe(sessionId: string, entries: readonly Entry[]): void;
}

/** Tools with which a session schedules prompts to itself. Each session sees and cancels only its own. */
export function scheduleTools(options: ScheduleToolsOptions): ScheduleTools {
  const { store, clock, deliver, alert, redact = (prompt) => prompt, newId = shortId, logger } = options;
  const limits: ScheduleLimits = { ...DEFAULT_SCHEDULE_LIMITS, ...options.limits };
  const toLog: AlertOperator = async ({ sessionId, text }) =>
    logger?.warn(`Alert of session ${sessionId}: ${text}`);
  const scheduler = createScheduler({
    store,
    clock,
    deliver,
    alert: alert ?? toLog,
    limits,
    newId,
    logger,
  });
  const tools = [
    scheduleFollowup(scheduler, clock, limits, redact),
    listFollowups(scheduler, clock),
    cancelFollowup(scheduler),
    ...(alert === undefined ? [] : [alertOperator(alert, clock, limits.alertsPerHour)]),
  ];
  return {
    name: 'schedule',
    tools: () => tools,
    start: () => scheduler.start(),
    observe: (sessionId, entries) => scheduler.observe(sessionId, entries),
    sessionEnded: (sessionId, why = 'cancelled') => scheduler.endSession(sessionId, why),
    close: () => scheduler.close(),
  };
}

function shortId(): string {
  return `fu_${randomBytes(5).toString('hex')}`;
}
