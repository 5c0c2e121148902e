import type { PlainPath } from './plain-path.js';
import { plainPath } from './plain-path.js';
import type { ProbeSpec } from './probe.js';

/** An expression of a probe; one with a path is read with the variables, any other is evaluated by V8. */
export interface Reading {
  readonly expression: string;
  readonly path: PlainPath | undefined;
}

const known = new WeakMap<ProbeSpec, readonly Reading[]>();

/** How the expressions of a probe are read, in their order. Those of a logpoint may do anything, getters included. */
export function readingsOf(spec: ProbeSpec): readonly Reading[] {
  if (!('expressions' in spec)) return [];
  // Asked while a worker stands still.
  const readings =
    known.get(spec) ??
    spec.expressions.map((expression) => ({
      expression,
      path: spec.kind === 'logpoint' ? undefined : plainPath(expression),
    }));
  known.set(spec, readings);
  return readings;
}
