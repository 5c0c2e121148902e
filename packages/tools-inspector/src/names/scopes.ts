import type { AnyNode, Identifier } from 'acorn';
import { boundBy, declaredIn, hoistedFrom } from './declared-in.js';
import { isClass, isFunction } from './syntax-tree.js';
import type { FunctionNode } from './syntax-tree.js';

/** Variables that all code of a node can see. */
export interface Scope {
  readonly node: AnyNode;
  /** In the order of declaration, each once. */
  readonly names: readonly string[];
  /** It holds the name that a function expression has for itself, and V8 drops that where it is not used. */
  readonly isOwnName?: boolean;
}

/** The scopes of the nodes on a path, innermost first; that of the top level comes last. */
export function scopesOf(path: readonly AnyNode[]): readonly Scope[] {
  return path
    .flatMap((node, at) => {
      const sloppy = isSloppy(path.slice(0, at + 1));
      if (isFunction(node)) return functionScopes(node, sloppy);
      const parent = path[at - 1];
      // With the function's own.
      if (parent !== undefined && isFunction(parent) && parent.body === node) return [];
      return [scope(node, declaredHere(node, sloppy))];
    })
    .toReversed();
}

function scope(node: AnyNode, declared: readonly Identifier[]): Scope {
  const inOrder = declared.toSorted((one, other) => one.start - other.start);
  return { node, names: [...new Set(inOrder.map(({ name }) => name))] };
}

function declaredHere(node: AnyNode, sloppy: boolean): readonly Identifier[] {
  const holdsVar = node.type === 'Program' || node.type === 'StaticBlock';
  return holdsVar ? [...declaredIn(node), ...hoistedFrom(node, sloppy)] : declaredIn(node);
}

/** Outermost first. The body has a scope of its own unless the parameters are names alone. */
function functionScopes(node: FunctionNode, sloppy: boolean): readonly Scope[] {
  const own = node.type === 'FunctionExpression' && node.id != null ? [node.id] : [];
  const parameters = node.params.flatMap(boundBy);
  const body = [...declaredIn(node.body), ...hoistedFrom(node.body, sloppy)];
  const inside = node.params.every(({ type }) => type === 'Identifier')
    ? [scope(node, [...parameters, ...body])]
    : [scope(node, parameters), scope(node.body, body)];
  return [{ ...scope(node, own), isOwnName: true }, ...inside];
}

/** Whether the code of the last node of a path is in sloppy mode. */
function isSloppy(path: readonly AnyNode[]): boolean {
  return !path.some((node) => {
    if (isClass(node)) return true;
    if (node.type === 'Program') return node.sourceType === 'module' || isStrict(node.body);
    return isFunction(node) && node.body.type === 'BlockStatement' && isStrict(node.body.body);
  });
}

function isStrict(body: readonly AnyNode[]): boolean {
  return body.some((node) => node.type === 'ExpressionStatement' && node.directive === 'use strict');
}
