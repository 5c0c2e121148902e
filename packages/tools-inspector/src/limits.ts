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
}

export const DEFAULT_INSPECTOR_LIMITS: InspectorLimits = {
  expressionCharacters: 8192,
  evaluateMs: 500,
  maxEvaluateMs: 5000,
  value: DEFAULT_VALUE_LIMITS,
};
