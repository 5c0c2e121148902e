import type { Followup } from '@harperfast/agent-core/contracts';
import { formatDuration } from './duration.js';
import { formatMoment } from './moment.js';

/** A followup that is due. */
export interface Delivery {
  /**
   * `<followup>:<slot>`: the same for every attempt at the same due time, never used for another. Take it as the
   * prompt's message id, and a delivery that is repeated after a crash is seen once.
   */
  readonly deliveryId: string;
  readonly followupId: string;
  readonly sessionId: string;
  readonly prompt: string;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  /** Earlier due times of a repetition that this delivery stands for as well. */
  readonly missed: number;
}

/**
 * Takes a followup to its session. Resolves once it is taken for good; rejects when it was not, and is called again
 * later, with the same `deliveryId`. `signal` aborts when the followup is cancelled, at the deadline and on close.
 *
 * Some errors of `prompt` mean more than "try again": a 404 removes the followup, the code `session_cancelled` cancels it, and
 * `unattended_limit` makes it wait for an operator.
 */
export type Deliver = (delivery: Delivery, signal: AbortSignal) => Promise<void>;

/** What is delivered for a claimed followup. */
export function deliveryOf({ id, sessionId, prompt, dueAt, slot, missed }: Followup): Delivery {
  return { deliveryId: `${id}:${slot}`, followupId: id, sessionId, prompt, dueAt, missed };
}

/** The prompt with a first line that tells the model where it comes from, and what was missed or is late. */
export function deliveryText({ followupId, prompt, dueAt, missed }: Delivery, now: number): string {
  const late = now - dueAt;
  const notes = [
    `Followup ${followupId}, due at ${formatMoment(dueAt)}.`,
    late >= 60_000 ? `It comes ${formatDuration(late)} late.` : '',
    missed > 0
      ? `${missed} earlier ${missed === 1 ? 'run' : 'runs'} did not take place; this one stands for all.`
      : '',
  ];
  return `[${notes.filter((note) => note !== '').join(' ')}]\n${prompt}`;
}
