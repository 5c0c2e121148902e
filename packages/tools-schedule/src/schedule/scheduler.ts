import { AsyncResource } from 'node:async_hooks';
import { ConflictError, NotFoundError } from '@harperfast/agent-core/contracts';
import type {
  Clock,
  Entry,
  Followup,
  FollowupStore,
  Logger,
  SessionEnd,
} from '@harperfast/agent-core/contracts';
import type { AlertOperator } from './alert.js';
import type { Deliver } from './delivery.js';
import { isMissed, isSettled, realigned } from './due-times.js';
import { createFlights } from './flights.js';
import { createFollowupBook } from './followup-book.js';
import { cancelled, newFollowup } from './followup-steps.js';
import type { ScheduleLimits } from './limits.js';
import { createOneByOne } from './one-by-one.js';
import type { RunPlan } from './plan-run.js';
import { createRunWatch } from './run-watch.js';
import { createSessionEvents } from './session-events.js';

/** The longest single timer: a wall clock that is set meanwhile is noticed this soon, and no delay overflows. */
const LONGEST_TIMER_MS = 5 * 60_000;

/** Keeps followups and delivers each when it is due. Everything is durable before it is acted on. */
export interface Scheduler {
  /** Loads what is stored and begins to deliver; also done by the first call of `schedule`, `list` or `cancel`. */
  start(): Promise<void>;
  /** Resolves once the followup is stored. Rejects with `ConflictError` (`followup_limit`) when there are too many. */
  schedule(what: { readonly sessionId: string; readonly prompt: string }, plan: RunPlan): Promise<Followup>;
  /** The session's followups: those still to come, next one first, then the others, latest first. */
  list(sessionId: string): Promise<readonly Followup[]>;
  /**
   * No delivery of it begins afterwards. Rejects with `NotFoundError` when the session has none such, and with
   * `ConflictError` when there is nothing left to cancel.
   */
  cancel(sessionId: string, id: string): Promise<Followup>;
  /** Cancels what a session that was cancelled has to come, removes all that one had; no delivery begins afterwards. */
  endSession(sessionId: string, why: SessionEnd): Promise<void>;
  /** Hears of a session's journal: how runs end, and when an operator prompts. */
  observe(sessionId: string, entries: readonly Entry[]): void;
  /** Stops: begins nothing more and waits for what is under way to stop. Nothing stored is lost. */
  close(): Promise<void>;
}

export interface SchedulerOptions {
  readonly store: FollowupStore;
  readonly clock: Clock;
  readonly deliver: Deliver;
  readonly alert: AlertOperator;
  readonly limits: ScheduleLimits;
  readonly newId: () => string;
  readonly logger?: Logger | undefined;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { store, clock, limits, newId } = options;
  const book = createFollowupBook(store);
  const watch = createRunWatch();
  const oneByOne = createOneByOne(clock);
  const flights = createFlights({ ...options, book, onLanded: landed });
  const events = createSessionEvents({ ...options, book, watch, flights, load, onRunOver: landed });
  let cancelTimer: (() => void) | undefined;
  let loaded: Promise<void> | undefined;
  let awake = false;
  let closed = false;
  let lastWake = 0;

  // Deliveries belong to whoever made the scheduler, not to the run or request that happened to schedule one.
  const wake = AsyncResource.bind(() => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (closed || !awake) return;
    const now = clock.now();
    noticeClock(now);
    let next = Infinity;
    for (const followup of grounded().sort(byWakeTime)) {
      if (followup.wakeAt > now) {
        next = Math.min(next, followup.wakeAt);
        break;
      }
      // These are looked at again when a flight or a run has ended.
      if (flights.isFull() || flights.has(followup.sessionId) || watch.isAtWork(followup.id)) continue;
      const fires = !isSettled(followup) && !isMissed(followup, now, limits);
      const free = fires ? oneByOne.freeAt(followup, now) : now;
      if (free > now) next = Math.min(next, free);
      else flights.launch(followup);
    }
    if (next < Infinity) cancelTimer = clock.setTimer(Math.min(next - now, LONGEST_TIMER_MS), wake);
  });

  function grounded(): Followup[] {
    return book.all().filter(({ id }) => !flights.carries(id));
  }

  /** A clock that was set back must not make a repetition, or a claim, wait for the time it showed before. */
  function noticeClock(now: number): void {
    const setBack = now < lastWake;
    lastWake = now;
    for (const followup of grounded()) {
      const { id, state, dueAt, until, wakeAt } = realigned(followup, now);
      if (dueAt !== followup.dueAt)
        book.retime(id, { dueAt, wakeAt, ...(until === undefined ? {} : { until }) });
      else if (setBack && state === 'firing') book.retime(id, { wakeAt: now });
    }
  }

  function landed(followupId: string): void {
    // Its run may have only begun: then the next one of a backlog waits for the end of that.
    if (!watch.isAtWork(followupId)) oneByOne.done(followupId);
    wake();
  }

  function load(): Promise<void> {
    loaded ??= book.load().then(
      () => {
        // What an earlier process was delivering may have been taken or not: it is delivered again, under the same id.
        for (const { id, state } of book.all())
          if (state === 'firing') book.retime(id, { wakeAt: clock.now() });
      },
      (error: unknown) => {
        loaded = undefined;
        throw error;
      },
    );
    return loaded;
  }

  async function start(): Promise<void> {
    await load();
    awake = true;
    wake();
  }

  /** Resolves with whether there was anything to cancel. */
  function cancelNow(id: string): Promise<boolean> {
    return flights.change(id, (found) => (isSettled(found) ? undefined : cancelled(found, clock.now())));
  }

  async function ready(): Promise<void> {
    if (closed) throw new ConflictError('The scheduler is closed: the agent is stopping');
    if (!awake) await start();
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
      return book.ofSession(sessionId).sort(byInterest);
    },
    async cancel(sessionId, id) {
      await ready();
      const followup = book.get(id);
      if (followup === undefined || followup.sessionId !== sessionId)
        throw notFound(id, book.ofSession(sessionId));
      flights.abort((flight) => flight.followupId === id, 'it was cancelled');
      if (await cancelNow(id)) return followup;
      throw new ConflictError(
        `The followup ${id} is ${book.get(id)?.state ?? 'gone'} already: there is nothing left to cancel`,
      );
    },
    async endSession(sessionId, why) {
      if (closed) return;
      await load();
      flights.abort((flight) => flight.sessionId === sessionId, `its session was ${why}`);
      watch.dropSession(sessionId);
      if (why === 'deleted') await book.removeSession(sessionId);
      else {
        book.refuseUnsaved(sessionId);
        await Promise.all(book.ofSession(sessionId).map(({ id }) => cancelNow(id)));
      }
      wake();
    },
    observe(sessionId, entries) {
      if (!closed) events.observe(sessionId, entries);
    },
    async close() {
      closed = true;
      cancelTimer?.();
      cancelTimer = undefined;
      flights.abort(() => true, 'the scheduler is closing');
      await Promise.all([flights.landed(), events.settled()]);
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

function notFound(id: string, own: readonly Followup[]): NotFoundError {
  const ids = own.filter((followup) => !isSettled(followup)).map((followup) => followup.id);
  const others = ids.length === 0 ? 'it has none' : `it has ${ids.join(', ')}`;
  return new NotFoundError(`This session has no followup ${JSON.stringify(id)}: ${others}`);
}

function byWakeTime(a: Followup, b: Followup): number {
  return a.wakeAt - b.wakeAt;
}

function byInterest(a: Followup, b: Followup): number {
  const settled = Number(isSettled(a)) - Number(isSettled(b));
  return settled !== 0 ? settled : (b.settledAt ?? 0) - (a.settledAt ?? 0) || a.dueAt - b.dueAt;
}
