import type { Clock, Logger } from '@harperfast/agent-core/contracts';
import type { PostAnswer, Poster } from '@harperfast/agent-tools-http';
import type { Notification } from './notification.js';

/** What a delivery works with. */
export interface DeliveryParts {
  readonly poster: Pick<Poster, 'post'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  /** Where it goes, as the log may show it. */
  readonly origin: string;
}

/** Between one attempt and the next. */
const DELAYS_MS = [1_000, 5_000, 20_000, 60_000];
const LONGEST_DELAY_MS = 300_000;

/**
 * Posts a notification until it is taken: five attempts, or as many as the receiver's refusals leave sense in. Resolves
 * also where it is given up, which is logged, and as soon as the signal aborts, which is not.
 */
export async function deliver(
  notification: Notification,
  { poster, clock, logger, origin }: DeliveryParts,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(notification);
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryOnce(() => poster.post(body, signal), clock);
    if (outcome === 'taken' || signal.aborted) return;
    const delay = DELAYS_MS[attempt];
    if (!outcome.again || delay === undefined) {
      const { event, session_id } = notification;
      logger.error(
        `The operator was not notified of ${event} in session ${session_id}: ${origin} was asked ` +
          `${attempt + 1} times, and then: ${outcome.why}`,
      );
      return;
    }
    await wait(Math.min(Math.max(delay, outcome.notBeforeMs), LONGEST_DELAY_MS), clock, signal);
    if (signal.aborted) return;
  }
}

interface Refusal {
  readonly why: string;
  readonly again: boolean;
  readonly notBeforeMs: number;
}

async function tryOnce(post: () => Promise<PostAnswer>, clock: Clock): Promise<'taken' | Refusal> {
  try {
    const { status, headers } = await post();
    if (status >= 200 && status < 300) return 'taken';
    return {
      why: `status ${status}`,
      // Any other refusal would be the same the next time.
      again: status === 408 || status === 429 || status >= 500,
      notBeforeMs: retryAfter(headers.get('retry-after'), clock.now()),
    };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error), again: true, notBeforeMs: 0 };
  }
}

/** Milliseconds that a `Retry-After`, seconds or a date, asks to wait. */
function retryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stop = clock.setTimer(ms, done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
