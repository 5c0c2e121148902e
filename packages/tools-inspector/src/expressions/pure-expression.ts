import type { PlainPath } from '../probes/plain-path.js';

/**
 * An expression that can be evaluated without running any code of an application, unless a value turns out to be one that
 * would: as a tree of JSON, so that it can be handed to another thread.
 */
export type PureExpression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'bigint'; readonly digits: string }
  /** A variable, a global, or `this`. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: string; readonly of: PureExpression }
  | {
      readonly kind: 'binary' | 'logical';
      readonly operator: string;
      readonly left: PureExpression;
      readonly right: PureExpression;
    }
  | {
      readonly kind: 'choice';
      readonly test: PureExpression;
      readonly yes: PureExpression;
      readonly no: PureExpression;
    }
  /** Texts and values by turns. */
  | { readonly kind: 'template'; readonly parts: readonly PureExpression[] }
  | { readonly kind: 'list'; readonly items: readonly PureExpression[] }
  | { readonly kind: 'record'; readonly entries: readonly (readonly [string, PureExpression])[] }
  | PureMember
  | {
      readonly kind: 'call';
      readonly callee: PureMember | (PureExpression & { readonly kind: 'name' });
      readonly given: readonly PureExpression[];
    }
  /** What is `undefined` as a whole where a `?.` in it finds nothing. */
  | { readonly kind: 'chain'; readonly of: PureExpression };

export interface PureMember {
  readonly kind: 'member';
  readonly of: PureExpression;
  readonly key: PureExpression;
  readonly optional: boolean;
}

/** An expression that needs no pause, and the names it starts from. */
export interface ParsedExpression {
  readonly tree: PureExpression;
  readonly roots: readonly string[];
}

/** An expression of a snapshot, as it is recorded. */
export type RecordedExpression =
  | { readonly kind: 'path'; readonly path: PlainPath }
  | { readonly kind: 'pure'; readonly tree: PureExpression };

/** What is known of the language where no scope declares the name. */
export const PURE_GLOBALS: ReadonlySet<string> = new Set(
  'undefined NaN Infinity Math Number String Boolean Array Object'.split(' '),
);
