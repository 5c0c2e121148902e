import { randomUUID } from 'node:crypto';
import type { Clock, Logger, ToolProvider } from '@harperfast/agent-core/contracts';
import type { Deliver } from './schedule/delivery.js';
import { DEFAULT_SCHEDULE_LIMITS } from './schedule/limits.js';
import type { ScheduleLimits } from './schedule/limits.js';
import { createScheduler } from './schedule/scheduler.js';
import type { FollowupStore } from './schedule/store.js';
import { cancelFollowup } from './tools/cancel-followup.js';
import { listFollowups } from './tools/list-followups.js';
import { scheduleFollowup } from './tools/schedule-followup.js';

export interface ScheduleToolsOptions {
  readonly store: FollowupStore;
  readonly clock: Clock;
  /** Takes a due followup to its session. */
  readonly deliver: Deliver;
  readonly limits?: Partial<ScheduleLimits>;
  /** Ids of followups, short enough for a model to repeat; by default eight random hexadecimal digits. */
  readonly newId?: () => string;
  /** Hears of deliveries that fail. */
  readonly logger?: Logger;
}

/** The pack's provider; `start` brings the stored followups to life and is called once the host can take them. */
export interface ScheduleTools extends ToolProvider {
  start(): Promise<void>;
}

/** Tools with which a session schedules prompts to itself. Each session sees and cancels only its own. */
export function scheduleTools({
  store,
  clock,
  deliver,
  limits,
  newId,
  logger,
}: ScheduleToolsOptions): ScheduleTools {
  const settled: ScheduleLimits = { ...DEFAULT_SCHEDULE_LIMITS, ...limits };
  const scheduler = createScheduler({
    store,
    clock,
    deliver,
    limits: settled,
    newId: newId ?? (() => randomUUID().slice(0, 8)),
    logger,
  });
  const tools = [
    scheduleFollowup(scheduler, clock, settled),
    listFollowups(scheduler, clock),
    cancelFollowup(scheduler),
  ];
  return {
    name: 'schedule',
    tools: () => tools,
    start: () => scheduler.start(),
    sessionEnded: (sessionId) => scheduler.cancelSession(sessionId),
    close: () => scheduler.close(),
  };
}
