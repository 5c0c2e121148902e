import { AsyncResource } from 'node:async_hooks';
import { AgentError, ConflictError, NotFoundError } from '@harperfast/agent-core/contracts';
import type { Clock, Logger } from '@harperfast/agent-core/contracts';
import { deliveryOf } from './delivery.js';
import type { Deliver } from './delivery.js';
import type { Followup } from './followup.js';
import { createFollowupBook } from './followup-book.js';
import { claimed, delivered, newFollowup, undelivered } from './followup-steps.js';
import type { ScheduleLimits } from './limits.js';
import type { RunPlan } from './plan-run.js';
import type { FollowupStore } from './store.js';
import { withinDeadline } from './within-deadline.js';

/** The longest single timer: a wall clock that is set meanwhile is noticed this soon, and no delay overflows. */
const LONGEST_TIMER_MS = 5 * 60_000;
/** How long to leave a followup alone whose row could not be written. */
const STORE_RETRY_MS = 5000;
/** How much of an error's message is stored and logged. */
const ERROR_CHARACTERS = 500;

/** Keeps followups and delivers each when it is due. Everything is durable before it is acted on. */
export interface Scheduler {
  /** Loads what is stored and begins to deliver; also done by the first call of `schedule`, `list` or `cancel`. */
  start(): Promise<void>;
  /** Resolves once the followup is stored. Rejects with `ConflictError` (`followup_limit`) when there are too many. */
  schedule(what: { readonly sessionId: string; readonly prompt: string }, plan: RunPlan): Promise<Followup>;
  /** The session's followups, next one first. */
  list(sessionId: string): Promise<readonly Followup[]>;
  /** Removes one; no delivery of it begins afterwards. Rejects with `NotFoundError` when the session has none such. */
  cancel(sessionId: string, id: string): Promise<Followup>;
  /** Removes all of a session's; no delivery of them begins afterwards. */
  cancelSession(sessionId: string): Promise<void>;
  /** Stops: begins nothing more and waits for what is under way to stop. Nothing stored is lost. */
  close(): Promise<void>;
}

export interface SchedulerOptions {
  readonly store: FollowupStore;
  readonly clock: Clock;
  readonly deliver: Deliver;
  readonly limits: ScheduleLimits;
  readonly newId: () => string;
  readonly logger?: Logger | undefined;
}

interface Flight {
  readonly sessionId: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export function createScheduler({
  store,
  clock,
  deliver,
  limits,
  newId,
  logger,
}: SchedulerOptions): Scheduler {
  const book = createFollowupBook(store);
  /** Deliveries under way, by followup: one at a time for each session. */
  const flights = new Map<string, Flight>();
  let cancelTimer: (() => void) | undefined;
  let started: Promise<void> | undefined;
  let closed = false;

  // Deliveries belong to whoever made the scheduler, not to the run or request that happened to schedule one.
  const wake = AsyncResource.bind(() => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (closed) return;
    const now = clock.now();
    const grounded = book.all().filter(({ id }) => !flights.has(id));
    for (const followup of grounded.sort(byWakeTime)) {
      if (followup.wakeAt > now) {
        cancelTimer = clock.setTimer(Math.min(followup.wakeAt - now, LONGEST_TIMER_MS), wake);
        break;
      }
      // What has to wait here is looked at again when a flight ends.
      const busy = [...flights.values()].some(({ sessionId }) => sessionId === followup.sessionId);
      if (!busy && flights.size < limits.concurrentDeliveries) launch(followup);
    }
  });

  function launch(followup: Followup): void {
    const { id, sessionId } = followup;
    const controller = new AbortController();
    const done = fly(followup, controller.signal)
      .catch((error: unknown) => {
        logger?.error(
          `Followup ${id} of session ${sessionId}: its row could not be written (${messageOf(error)})`,
        );
        book.postpone(id, clock.now() + STORE_RETRY_MS);
      })
      .finally(() => {
        flights.delete(id);
        wake();
      });
    flights.set(id, { sessionId, controller, done });
  }

  async function fly(followup: Followup, signal: AbortSignal): Promise<void> {
    if (followup.failedAt !== undefined) return book.remove(followup.id);
    if (followup.attempts >= limits.attempts) {
      // Every attempt was claimed and none came to an end: the process died each time.
      return fail(followup, new Error('The process ended during each attempt'));
    }
    const claim = claimed(followup, clock.now(), limits);
    if (!(await book.replace(followup, claim)) || signal.aborted) return;
    try {
      const work = (own: AbortSignal) => deliver(deliveryOf(claim), own);
      await withinDeadline(work, { clock, ms: limits.deliveryMs, signal });
    } catch (error) {
      // Cancelled, or closing: then the claim lapses, and the next process tries again.
      if (signal.aborted) return;
      return fail(claim, error);
    }
    await book.replace(claim, delivered(claim));
  }

  async function fail(followup: Followup, error: unknown): Promise<void> {
    const { id, sessionId } = followup;
    if (AgentError.isInstance(error) && error.statusCode === 404) {
      logger?.warn(`Followup ${id} was dropped: session ${sessionId} is gone`);
      return book.remove(id);
    }
    const reason = messageOf(error);
    const next = undelivered(followup, reason, clock.now(), limits);
    const outlook = next.failedAt === undefined ? 'it will be tried again' : 'it is given up';
    logger?.warn(`Followup ${id} of session ${sessionId} was not delivered, ${outlook}: ${reason}`);
    await book.replace(followup, next);
  }

  function start(): Promise<void> {
    started ??= book.load().then(wake, (error: unknown) => {
      started = undefined;
      throw error;
    });
    return started;
  }

  async function ready(): Promise<void> {
    if (closed) throw new ConflictError('The scheduler is closed: the agent is stopping');
    await start();
  }

  function ofSession(sessionId: string): readonly Followup[] {
    const own = book.all().filter((followup) => followup.sessionId === sessionId);
    return own.sort(byWakeTime);
  }

  function abort(flight: Flight | undefined, why: string): void {
    flight?.controller.abort(new ConflictError(`The followup is not delivered: ${why}`));
  }

  return {
    start,
    async schedule(what, plan) {
      await ready();
      checkRoom(book.count(what.sessionId), book.count(), limits);
      const followup = newFollowup({ id: newId(), ...what }, plan, clock.now());
      await book.add(followup);
      wake();
      return followup;
    },
    async list(sessionId) {
      await ready();
      return ofSession(sessionId);
    },
    async cancel(sessionId, id) {
      await ready();
      const followup = book.get(id);
      if (followup === undefined || followup.sessionId !== sessionId) {
        const ids = ofSession(sessionId).map((other) => other.id);
        const others = ids.length === 0 ? 'it has none' : `it has ${ids.join(', ')}`;
        throw new NotFoundError(`This session has no followup ${JSON.stringify(id)}: ${others}`);
      }
      abort(flights.get(id), 'it was cancelled');
      await book.remove(id);
      wake();
      return followup;
    },
    async cancelSession(sessionId) {
      await ready();
      for (const flight of flights.values())
        if (flight.sessionId === sessionId) abort(flight, 'its session ended');
      await book.removeSession(sessionId);
      wake();
    },
    async close() {
      closed = true;
      cancelTimer?.();
      cancelTimer = undefined;
      for (const flight of flights.values()) abort(flight, 'the scheduler is closing');
      await Promise.all([...flights.values()].map(({ done }) => done));
    },
  };
}

function checkRoom(own: number, all: number, limits: ScheduleLimits): void {
  if (own >= limits.perSession) {
    throw new ConflictError(
      `This session has ${own} followups, and ${limits.perSession} is the limit: cancel one first`,
      { code: 'followup_limit' },
    );
  }
  if (all >= limits.total) {
    throw new ConflictError(
      `There are ${all} followups in all sessions, and ${limits.total} is the limit: wait until some are done`,
      { code: 'followup_limit' },
    );
  }
}

function byWakeTime(a: Followup, b: Followup): number {
  return a.wakeAt - b.wakeAt;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARACTERS);
}
