import { DEFAULT_VALUE_LIMITS } from './render/value-tree.js';
import type { ValueLimits } from './render/value-tree.js';

/** What one call may take. */
export interface InspectorLimits {
  /** Characters of an expression. */
  readonly expressionCharacters: number;
  /** Milliseconds an evaluation may take unless the call says otherwise; the worker stands still meanwhile. */
  readonly evaluateMs: number;
  /** The most a call may ask for. */
  readonly maxEvaluateMs: number;
  /** How much of a value is shown. */
  readonly value: ValueLimits;
  /** Hits of a snapshot unless the call says otherwise, and the most it may ask for. */
  readonly hits: number;
  readonly maxHits: number;
  /** Snapshots of one worker within a second; one that would take more is removed. */
  readonly hitsPerSecond: number;
  /** Milliseconds in all that a snapshot may make one worker stand still; then it is removed. */
  readonly pauseMs: number;
  /** Milliseconds of one snapshot: V8 stops its expressions then. */
  readonly snapshotMs: number;
  /** Milliseconds a breakpoint may hold a worker. */
  readonly holdMs: number;
  /** Snapshots, breakpoints and the like that one session may have set at a time. */
  readonly probesPerSession: number;
  /** The longest wait for hits, in milliseconds. */
  readonly maxWaitMs: number;
  /** How often workers that were replaced are looked for while something is set, in milliseconds. */
  readonly followMs: number;
  /** Milliseconds that a session stays attached to a worker without a call for it and without anything set there. */
  readonly idleMs: number;
  /** The longest CPU profile, in milliseconds. */
  readonly maxProfileMs: number;
}

export const DEFAULT_INSPECTOR_LIMITS: InspectorLimits = {
  expressionCharacters: 8192,
  evaluateMs: 500,
  maxEvaluateMs: 5000,
  value: DEFAULT_VALUE_LIMITS,
  hits: 3,
  maxHits: 50,
  hitsPerSecond: 20,
  pauseMs: 500,
  snapshotMs: 50,
  holdMs: 30_000,
  probesPerSession: 10,
  maxWaitMs: 60_000,
  followMs: 100,
  idleMs: 600_000,
  maxProfileMs: 60_000,
};
