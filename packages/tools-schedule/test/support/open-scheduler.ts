import { onTestFinished } from 'vitest';
import type {
  EndEntry,
  FollowupStore,
  Logger,
  PromptSource,
  StopReason,
} from '@harperfast/agent-core/contracts';
import { createFakeClock } from '@harperfast/agent-testkit';
import type { FakeClock } from '@harperfast/agent-testkit';
import type { Alert, AlertOperator } from '../../src/schedule/alert.js';
import type { Deliver, Delivery } from '../../src/schedule/delivery.js';
import { DEFAULT_SCHEDULE_LIMITS } from '../../src/schedule/limits.js';
import type { ScheduleLimits } from '../../src/schedule/limits.js';
import { planRun } from '../../src/schedule/plan-run.js';
import type { RunRequest } from '../../src/schedule/plan-run.js';
import { createScheduler } from '../../src/schedule/scheduler.js';
import { createMemoryFollowupStore } from '../../src/schedule/store.js';

export const MINUTE = 60_000;
export const DAY = 86_400_000;

export interface SchedulerSetup {
  readonly store?: FollowupStore;
  readonly clock?: FakeClock;
  readonly deliver?: Deliver;
  readonly alert?: AlertOperator;
  /** The scheduler observes the prompts it brought: their runs go on until the test ends them. */
  readonly watched?: boolean;
  /** The message ids the sessions have. */
  readonly taken?: Set<string>;
  readonly limits?: Partial<ScheduleLimits>;
}

/** A scheduler on a fake clock that notes what it delivers and logs; closed after the test. */
export function openScheduler({
  store = createMemoryFollowupStore(),
  clock = createFakeClock(),
  deliver = async () => {},
  alert = async () => {},
  limits,
  watched = false,
  taken = new Set<string>(),
}: SchedulerSetup = {}) {
  const deliveries: Delivery[] = [];
  const alerts: Alert[] = [];
  const log: string[] = [];
  const note = (message: string) => void log.push(message);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  let ids = 0;
  let seq = 0;
  const scheduler = createScheduler({
    store,
    clock,
    limits: { ...DEFAULT_SCHEDULE_LIMITS, ...limits },
    logger,
    newId: () => `f${++ids}`,
    async alert(what) {
      await alert(what);
      alerts.push(what);
    },
    async deliver(delivery, signal) {
      deliveries.push(delivery);
      await deliver(delivery, signal);
      if (!watched || taken.has(delivery.deliveryId)) return;
      taken.add(delivery.deliveryId);
      prompt(delivery.sessionId, 'followup', delivery.deliveryId);
    },
  });
  onTestFinished(() => scheduler.close());

  function prompt(sessionId: string, source: PromptSource, messageId: string): void {
    const at = clock.now();
    scheduler.observe(sessionId, [
      { kind: 'prompt', seq: ++seq, at, source, messageId, text: 'text', by: source },
    ]);
  }

  function endRun(
    sessionId: string,
    reason: StopReason,
    message?: string,
    { carriedUpTo = seq }: Partial<EndEntry> = {},
  ): void {
    const error = message === undefined ? {} : { error: { code: reason, message } };
    scheduler.observe(sessionId, [
      { kind: 'end', seq: ++seq, at: clock.now(), reason, carriedUpTo, ...error },
    ]);
  }

  return {
    scheduler,
    store,
    clock,
    deliveries,
    alerts,
    log,
    watched,
    taken,
    endRun,
    operatorPrompts: (sessionId: string) => prompt(sessionId, 'operator', `msg_${seq}`),
  };
}

/** Schedules as the tool would. */
export function schedule(
  { scheduler, clock }: ReturnType<typeof openScheduler>,
  request: RunRequest,
  sessionId = 's1',
  prompt = 'check',
) {
  return scheduler.schedule({ sessionId, prompt }, planRun(request, clock.now(), DEFAULT_SCHEDULE_LIMITS));
}

/** A memory store whose writes can be made to wait or to fail. */
export function awkwardStore() {
  const inner = createMemoryFollowupStore();
  const state: { hold?: Promise<void>; holdAnswer?: Promise<void>; failing: number } = { failing: 0 };
  const store: FollowupStore = {
    ...inner,
    async write(followup, expected) {
      await state.hold;
      if (state.failing-- > 0) throw new Error('disk full');
      const written = await inner.write(followup, expected);
      await state.holdAnswer;
      return written;
    },
  };
  return { store, state };
}
