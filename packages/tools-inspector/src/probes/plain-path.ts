import type { ProbeSpec } from './probe.js';

/** A name in scope and the fields after it: `order.items[0].price` is `['order', 'items', 0, 'price']`. */
export type PlainPath = readonly (string | number)[];

const PATH = /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*|\[\d{1,9}\])*$/u;
const STEP = /[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+/gu;

/** What looks like a name and is none that a scope could hold, or means more than its value. */
const NOT_A_NAME =
  /^(?:arguments|await|class|delete|false|function|import|new|null|super|true|typeof|void|yield)$/;

/**
 * The path an expression is, if it is no more than one. Such a path can be read field by field without running any code,
 * which takes a fraction of the time V8 needs to evaluate it under its check for side effects.
 */
export function plainPath(expression: string): PlainPath | undefined {
  const text = expression.trim();
  if (!PATH.test(text)) return undefined;
  const [root = '', ...fields] = text.match(STEP) ?? [];
  if (NOT_A_NAME.test(root)) return undefined;
  return [root, ...fields.map((field) => (/^\d/.test(field) ? Number(field) : field))];
}

/** The expressions of a probe by how they are read. Those of a logpoint may do anything, getters included. */
export function sortExpressions(spec: ProbeSpec): {
  readonly expressions: readonly string[];
  readonly paths: readonly PlainPath[];
} {
  if (!('expressions' in spec)) return { expressions: [], paths: [] };
  if (spec.kind === 'logpoint') return { expressions: spec.expressions, paths: [] };
  const all = spec.expressions.map((expression) => ({ expression, path: plainPath(expression) }));
  return {
    expressions: all.flatMap(({ expression, path }) => (path === undefined ? [expression] : [])),
    paths: all.flatMap(({ path }) => (path === undefined ? [] : [path])),
  };
}
