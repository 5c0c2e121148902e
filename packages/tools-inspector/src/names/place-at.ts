import type { AnyNode, Program } from 'acorn';
import { declaredIn } from './declared-in.js';
import { childrenOf, isClass, isFunction } from './syntax-tree.js';
import type { FunctionNode } from './syntax-tree.js';

/** Where V8 stops. */
export interface Place {
  /** The nodes around it, outermost first. */
  readonly path: readonly AnyNode[];
  /** The last function of the path. */
  readonly innermost: FunctionNode;
  /** Whether that function is about to return: V8 has left its blocks then, whatever the code still sees. */
  readonly returns: 'yes' | 'no' | 'perhaps';
}

/** `undefined` where an offset is not in the body of a function, or where V8 has one location for several of them. */
export function placeAt(program: Program, offset: number): Place | undefined {
  const path = [program, ...descend(program, ({ start, end }) => start < offset && offset < end)];
  const last = path.at(-1) ?? program;
  const starting = descend(last, ({ start }) => start === offset);
  const ending = descend(last, ({ start, end }) => start < offset && end === offset);
  // A constructor that is not written down is where its class starts; what sets the fields returns where it ends.
  if ([...starting, ...ending].some(isClass)) return undefined;
  if ([...path, ...starting].some((node) => isEntered(node, offset))) return undefined;

  const around = path.findLast((node) => isFunction(node) || isClass(node)) ?? program;
  const returns = returnsAt(around, ending, offset);
  const arrow = ending.findIndex(isArrowOfExpression);
  if (arrow >= 0) {
    if (returns || ending.slice(arrow + 1).some(isArrowOfExpression)) return undefined;
    path.push(...ending.slice(0, arrow + 1));
  }
  const innermost = path.findLast((node) => isFunction(node) || isClass(node));
  if (innermost === undefined || isClass(innermost) || !isFunction(innermost)) return undefined;
  if (!isInBodies(path, offset)) return undefined;
  if (!returns && arrow < 0) return { path, innermost, returns: 'no' };
  return { path, innermost, returns: starting.length === 0 ? 'yes' : 'perhaps' };
}

/** The child that is picked, the child of it that is picked, and so on. */
function descend(from: AnyNode, picks: (node: AnyNode) => boolean): readonly AnyNode[] {
  const path: AnyNode[] = [];
  for (let node = childrenOf(from).find(picks); node !== undefined; node = childrenOf(node).find(picks)) {
    path.push(node);
  }
  return path;
}

/** It returns where it ends. */
function isArrowOfExpression(node: AnyNode): boolean {
  return node.type === 'ArrowFunctionExpression' && node.expression;
}

/** Whether it is a `switch` with variables whose cases have not begun: V8 shows those early, and hides others behind them. */
function isEntered(node: AnyNode, offset: number): boolean {
  return node.type === 'SwitchStatement' && offset <= node.discriminant.end && declaredIn(node).length > 0;
}

/** Whether a function, a class that sets a field, or the top level may return at an offset where these nodes end. */
function returnsAt(around: AnyNode, ending: readonly AnyNode[], offset: number): boolean {
  if (ending.some(({ type }) => type === 'ReturnStatement')) return true;
  if (isFunction(around)) return around.body.end - 1 === offset;
  return around.type !== 'Program' || around.body.at(-1)?.end === offset;
}

/** Whether each function of a path is on it with its body, and what is on it adds no variables while it runs. */
function isInBodies(path: readonly AnyNode[], offset: number): boolean {
  return path.every((node) => {
    if (node.type === 'WithStatement') return false;
    if (!isFunction(node)) return true;
    return node.body.type === 'BlockStatement' ? path.includes(node.body) : node.body.start <= offset;
  });
}
