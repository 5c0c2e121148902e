import type { WorkerTarget } from '../workers/worker-target.js';
import type { Hit } from './hit.js';

/** Where code is: the URL as V8 has it, line and column from 1. */
export interface Place {
  readonly url: string;
  readonly line: number;
  readonly column?: number;
  /** Where its source map says that this comes from. */
  readonly original?: { readonly url: string; readonly line: number; readonly column: number };
}

/** What a probe watches for, and what it does then. */
export type ProbeSpec =
  /** Records expressions, locals and stack each time a line is reached; the worker runs on at once. */
  | { readonly kind: 'snapshot'; readonly place: Place; readonly expressions: readonly string[] }
  /** The same, but the expression may do anything. */
  | { readonly kind: 'logpoint'; readonly place: Place; readonly expressions: readonly [string] }
  /** Records what is thrown; also what is caught again, where `caught`. Only by code below `within`, if given. */
  | { readonly kind: 'exceptions'; readonly caught: boolean; readonly within?: string }
  /** Stops the worker. */
  | { readonly kind: 'breakpoint'; readonly place: Place; readonly condition?: string };

/** How often and how long a probe may make workers stand still before it is removed. */
export interface ProbeLimits {
  /** Hits in all. */
  readonly hits: number;
  /** Pauses of one worker within a second. */
  readonly perSecond: number;
  /** Milliseconds that one worker stands still in all. */
  readonly pauseMs: number;
  /** Milliseconds of one pause; breakpoints have their own. */
  readonly watchdogMs: number;
  /** Characters that are recorded of an expression whose value is text. */
  readonly text: number;
}

/** Something a session has set on workers. */
export interface Probe {
  readonly id: string;
  readonly sessionId: string;
  readonly spec: ProbeSpec;
  readonly limits: ProbeLimits;
  /** Absent: all workers, also those that come later. */
  readonly workerIndex?: number;
  /** What was recorded, oldest first. */
  readonly hits: Hit[];
  /** Pauses it was given. Written inside other code: by the reflex only. */
  taken: number;
  /** Set when nothing more will come, and why. */
  ended?: string;
}

/** What became of a probe on one worker. */
export type Placement =
  | { readonly worker: WorkerTarget; readonly state: 'active' }
  | {
      readonly worker: WorkerTarget;
      readonly state: 'bound';
      readonly at: readonly Place[];
      /** The worker stands still for a hit; else it is recorded as the code runs. */
      readonly pauses: boolean;
    }
  | {
      readonly worker: WorkerTarget;
      readonly state: 'pending';
      readonly why: string;
      readonly near: readonly string[];
    }
  | { readonly worker: WorkerTarget; readonly state: 'failed'; readonly why: string };
