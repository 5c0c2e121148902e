import type { Clock } from '@harperfast/agent-core/contracts';

/** A clock that stands still until the test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves the time on, firing what falls due in order, each timer at its own time; promises get to settle before,
   * between and after, so timers set on the way fire too. Rejects with what a timer throws.
   */
  advance(ms: number): Promise<void>;
  /** How many timers are set. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

const MOST_TIMERS = 10_000;
// Taken now, so that a test that replaces timers does not stop the clock.
const { setImmediate } = globalThis;

/** Makes a fake clock that shows `start`, in milliseconds since the epoch. */
export function createFakeClock(start = Date.UTC(2030, 0, 1)): FakeClock {
  const timers = new Set<Timer>();
  let now = start;
  let moving: Promise<void> = Promise.resolve();

  async function move(ms: number): Promise<void> {
    const until = now + ms;
    for (let fired = 0; ; fired++) {
      await settled();
      const timer = earliest(timers);
      if (timer === undefined || timer.at > until) break;
      if (fired === MOST_TIMERS)
        throw new Error(`${MOST_TIMERS} timers fired within ${ms} ms: one sets itself again and again`);
      timers.delete(timer);
      now = timer.at;
      timer.callback();
    }
    now = until;
  }

  return {
    now: () => now,
    setTimer(ms, callback) {
      if (Number.isNaN(ms)) throw new RangeError('A timer of NaN milliseconds was set');
      const timer = { at: now + Math.max(0, ms), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`The clock cannot move by ${ms} ms`);
      const moved = moving.then(() => move(ms));
      moving = moved.catch(() => undefined);
      return moved;
    },
    pending: () => timers.size,
  };
}

/** The one due first; of several, the one set first. */
function earliest(timers: ReadonlySet<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
  return first;
}

/** All promises that can settle without I/O have settled: microtasks run out before the event loop goes on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
