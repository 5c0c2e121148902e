import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { StackFrame } from '../probes/hit.js';
import type { Probe } from '../probes/probe.js';
import type { LoadedScript } from './loaded-script.js';
import type { PausedEvent } from './paused-event.js';
import { stackOf } from './paused-event.js';

/** A worker that has run for less than this since it was held goes on with the time it had left. */
const SAME_HOLD_MS = 1000;

export type Step = 'over' | 'into' | 'out';
const STEP_METHODS = {
  over: 'Debugger.stepOver',
  into: 'Debugger.stepInto',
  out: 'Debugger.stepOut',
} as const;

/** Where a worker stands still. */
export interface HeldAt {
  readonly event: PausedEvent;
  readonly stack: readonly StackFrame[];
  /** The breakpoints that hold it, or held it before it took steps. */
  readonly holders: readonly Probe[];
  /** `performance.now()` when it runs on at the latest. */
  readonly until: number;
}

/** What holds a worker at a breakpoint, and for how long at most: stepping and the next breakpoint share one time. */
export interface Hold {
  readonly at: HeldAt | undefined;
  /** It stands still, or is on its way to the end of a step. */
  readonly busy: boolean;
  begin(event: PausedEvent, holders: readonly Probe[]): void;
  /** The worker runs. */
  released(): void;
  /** Lets it run on, or to the end of a step. Rejects when it does not stand still. */
  resume(step?: Step): Promise<void>;
  /** Forgets everything; the worker is let go by other means. */
  end(): void;
}

export interface HoldOptions {
  readonly connection: CdpConnection;
  readonly holdMs: number;
  readonly onTooLong: () => void;
  /** Whether the next pause without a breakpoint is the end of a step. */
  readonly setStepping: (stepping: boolean) => void;
  /** It runs, and nothing is to hold it again. */
  readonly onReleased: () => void;
  readonly scripts: ReadonlyMap<string, LoadedScript>;
}

export function createHold(options: HoldOptions): Hold {
  const { connection, holdMs, scripts } = options;
  let at: HeldAt | undefined;
  let stepping = false;
  let holders: readonly Probe[] = [];
  let began = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function release(): void {
    clearTimeout(timer);
    if (at !== undefined) lastEnd = performance.now();
    at = undefined;
    stepping = false;
    options.setStepping(false);
  }

  function released(): void {
    if (at === undefined || stepping) return;
    release();
    options.onReleased();
  }

  /** What it steps to may be reached only with the next request, or never. */
  function stepTooLong(): void {
    release();
    options.onReleased();
  }

  function tooLong(): void {
    // First, so that what holds it does so no more when the worker meets it again.
    options.onTooLong();
    connection.send('Debugger.resume').catch(() => undefined);
  }

  return {
    get at() {
      return at;
    },
    get busy() {
      return at !== undefined || stepping;
    },
    begin(event, by) {
      const now = performance.now();
      if (now - lastEnd > SAME_HOLD_MS) began = now;
      const until = began + holdMs;
      if (by.length > 0) holders = by;
      stepping = false;
      at = { event, stack: stackOf(event, scripts), until, holders };
      clearTimeout(timer);
      timer = setTimeout(tooLong, Math.max(0, until - now)).unref();
    },
    released,
    async resume(step) {
      if (step === undefined) {
        const before = at;
        await connection.send('Debugger.resume');
        // It may stand still again by now, at the next breakpoint.
        if (at === before) released();
        return;
      }
      const left = Math.max(0, (at?.until ?? 0) - performance.now());
      stepping = true;
      options.setStepping(true);
      at = undefined;
      lastEnd = performance.now();
      clearTimeout(timer);
      timer = setTimeout(stepTooLong, left).unref();
      await connection.send(STEP_METHODS[step]);
    },
    end: release,
  };
}
