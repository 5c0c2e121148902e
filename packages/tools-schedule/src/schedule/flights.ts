import { AgentError, ConflictError } from '@harperfast/agent-core/contracts';
import type { Clock, Followup, Logger } from '@harperfast/agent-core/contracts';
import type { Alert, AlertOperator } from './alert.js';
import type { Deliver } from './delivery.js';
import { deliveryOf } from './delivery.js';
import { isMissed, isSettled } from './due-times.js';
import type { FollowupBook } from './followup-book.js';
import { cancelled, claimed, delivered, passedOver, paused, undelivered } from './followup-steps.js';
import type { ScheduleLimits } from './limits.js';
import { formatMoment } from './moment.js';
import { surplus } from './surplus.js';
import { withinDeadline } from './within-deadline.js';

/** How long to leave a followup alone whose row could not be written. */
const STORE_RETRY_MS = 5000;
/** How much of an error's message is stored and logged. */
const ERROR_CHARACTERS = 500;

/** What is being done with one followup; nothing else changes it meanwhile. */
interface Flight {
  readonly followupId: string;
  readonly sessionId: string;
  readonly controller: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** Deliveries and other changes under way: one at a time for each session. */
export interface Flights {
  isFull(): boolean;
  /** Whether something of this session is under way. */
  has(sessionId: string): boolean;
  /** Whether this followup is on its way. */
  carries(followupId: string): boolean;
  /** Does what is due with it: delivers it, passes it over, or clears it away. */
  launch(followup: Followup): void;
  /**
   * Changes a followup when nothing of it is under way. Resolves with whether it did: it does not when `step` gives
   * nothing, or when the followup is gone.
   */
  change(id: string, step: (followup: Followup) => Followup | undefined): Promise<boolean>;
  /** Aborts what matches. */
  abort(which: (flight: Flight) => boolean, why: string): void;
  /** Alerts the operator; what keeps it from that goes to the log. */
  tell(alert: Alert): Promise<void>;
  /** Resolves when nothing is under way. */
  landed(): Promise<void>;
}

export function createFlights(parts: {
  readonly book: FollowupBook;
  readonly clock: Clock;
  readonly deliver: Deliver;
  readonly alert: AlertOperator;
  readonly limits: ScheduleLimits;
  readonly logger?: Logger | undefined;
  readonly onLanded: (followupId: string) => void;
}): Flights {
  const { book, clock, deliver, alert, limits, logger } = parts;
  const flights = new Map<string, Flight>();

  function fly({ id, sessionId }: Followup, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const done = work(controller.signal)
      .catch((error: unknown) => {
        logger?.error(
          `Followup ${id} of session ${sessionId}: its row could not be written (${messageOf(error)})`,
        );
        book.retime(id, { wakeAt: clock.now() + STORE_RETRY_MS });
      })
      .finally(() => {
        flights.delete(id);
        parts.onLanded(id);
      });
    flights.set(id, { followupId: id, sessionId, controller, done });
    return done;
  }

  async function settle(followup: Followup, signal: AbortSignal): Promise<void> {
    if (isSettled(followup)) return book.remove(followup.id);
    if (isMissed(followup, clock.now(), limits)) return passOver(followup.sessionId);
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
      // Cancelled, or closing: then the claim stays, and the next process delivers again.
      if (signal.aborted) return;
      return fail(claim, error);
    }
    await replace(claim, delivered(claim, clock.now()));
  }

  async function replace(seen: Followup, next: Followup): Promise<boolean> {
    const replaced = await book.replace(seen, next);
    if (replaced && isSettled(next)) {
      for (const { id } of surplus(book.all())) if (!flights.has(id)) await book.remove(id);
    }
    return replaced;
  }

  async function fail(followup: Followup, error: unknown): Promise<void> {
    const { id, sessionId } = followup;
    if (isGone(error) || hasCode(error, 'session_cancelled')) {
      logger?.warn(`Followup ${id} was dropped: ${messageOf(error)}`);
      if (isGone(error)) return book.remove(id);
      await replace(followup, cancelled(followup, clock.now()));
      return;
    }
    if (hasCode(error, 'unattended_limit')) return pauseUnattended(followup, messageOf(error));
    const reason = messageOf(error);
    const next = undelivered(followup, reason, clock.now(), limits);
    const outlook = next.state === 'failed' ? 'it is given up' : 'it will be tried again';
    logger?.warn(`Followup ${id} of session ${sessionId} was not delivered, ${outlook}: ${reason}`);
    if ((await replace(followup, next)) && next.state === 'failed') {
      await tell({ sessionId, level: 'warning', text: `The followup ${id} was given up: ${reason}` });
    }
  }

  /** Told once a session: the others that become due are refused for the same reason. */
  async function pauseUnattended(followup: Followup, reason: string): Promise<void> {
    const { sessionId } = followup;
    const known = book.ofSession(sessionId).some((other) => other.paused === 'unattended');
    if (!(await book.replace(followup, paused(followup, 'unattended', limits))) || known) return;
    await tell({ sessionId, level: 'warning', text: `The followups of this session wait. ${reason}` });
  }

  /** All of the session's that came too late, so that they are one alert. */
  async function passOver(sessionId: string): Promise<void> {
    const now = clock.now();
    const late = book.ofSession(sessionId).filter((followup) => isMissed(followup, now, limits));
    for (const followup of late) await replace(followup, passedOver(followup, now));
    const list = late.map(({ id, dueAt }) => `${id} (due at ${formatMoment(dueAt)})`).join(', ');
    const text = `Nothing ran when these followups were due, and more than ${limits.graceSeconds} s have passed, so they were left out: ${list}`;
    await tell({ sessionId, level: 'warning', text });
  }

  async function tell(what: Alert): Promise<void> {
    try {
      await alert(what);
    } catch (error) {
      logger?.warn(`An alert of session ${what.sessionId} was not taken (${messageOf(error)}): ${what.text}`);
      if (isGone(error)) await book.removeSession(what.sessionId);
    }
  }

  return {
    tell,
    isFull: () => flights.size >= limits.concurrentDeliveries,
    has: (sessionId) => [...flights.values()].some((flight) => flight.sessionId === sessionId),
    carries: (followupId) => flights.has(followupId),
    launch: (followup) => void fly(followup, (signal) => settle(followup, signal)),
    async change(id, step) {
      for (let flight = flights.get(id); flight !== undefined; flight = flights.get(id)) await flight.done;
      const followup = book.get(id);
      const next = followup && step(followup);
      if (followup === undefined || next === undefined) return false;
      let changed = false;
      await fly(followup, async () => {
        changed = await replace(followup, next);
      });
      return changed;
    },
    abort(which, why) {
      for (const flight of flights.values()) {
        if (which(flight))
          flight.controller.abort(new ConflictError(`The followup is not delivered: ${why}`));
      }
    },
    async landed() {
      await Promise.all([...flights.values()].map(({ done }) => done));
    },
  };
}

/** The session is gone. */
function isGone(error: unknown): boolean {
  return AgentError.isInstance(error) && error.statusCode === 404;
}

function hasCode(error: unknown, code: string): boolean {
  return AgentError.isInstance(error) && error.code === code;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, ERROR_CHARACTERS);
}
