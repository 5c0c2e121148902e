import { parse } from 'acorn';
import type { AnyNode, Program } from 'acorn';
import { offsetOf } from './offset-of.js';
import { placeAt } from './place-at.js';
import type { Place } from './place-at.js';
import { scopesOf } from './scopes.js';
import { isFunction, nodesIn } from './syntax-tree.js';

export interface NamesQuestion {
  /** The script as V8 runs it. */
  readonly source: string;
  readonly isModule: boolean;
  /** V8's location of the breakpoint; both from 0, the column in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

export interface VisibleNames {
  /**
   * Variables of the innermost function and of what is around it, those of the top level excepted: innermost scope first, within
   * a scope in the order of declaration, each name once. One that V8 has dropped may be among them: to read it throws.
   */
  readonly variables: readonly string[];
  /** Every name that is declared in any scope around the place, the top level included, among them all `variables`. */
  readonly declared: readonly string[];
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** Names that a variable may have in some code, and that mean something else, or nothing, in other code. */
const RESERVED = new Set(
  'arguments await eval implements interface let package private protected public static yield'.split(' '),
);

/**
 * Which variables code can see that V8 evaluates at a breakpoint. `undefined` where that cannot be said with certainty. Takes
 * long for a large script: not for a thread that serves others.
 */
export function visibleNames({ source, isModule, line, column }: NamesQuestion): VisibleNames | undefined {
  try {
    const offset = offsetOf(source, line, column);
    if (offset === undefined) return undefined;
    const sourceType = isModule ? 'module' : 'commonjs';
    return namesAt(parse(source, { ecmaVersion: 'latest', sourceType }), offset);
  } catch {
    // What the parser does not know, or what is nested too deep for a stack.
    return undefined;
  }
}

function namesAt(program: Program, offset: number): VisibleNames | undefined {
  const place = placeAt(program, offset);
  if (place === undefined || callsEval(program, place)) return undefined;
  const { path, innermost, returns } = place;
  const scopes = scopesOf(path).filter(({ names }) => names.length > 0);
  const declared = unique(scopes.flatMap(({ names }) => names));
  if (declared.some((name) => name === 'globalThis' || name.startsWith('$agent'))) return undefined;

  const blocks = path.slice(path.indexOf(innermost) + 1);
  if (returns && scopes.some(({ node }) => blocks.includes(node))) return undefined;
  const variables = scopes.flatMap(({ node, names }) => {
    if (node === program) return [];
    return node === innermost || blocks.includes(node) ? names : keptIn(node, names);
  });
  return { variables: unique(variables).filter(isReadable), declared: declared.filter(isReadable) };
}

/** Whether a direct `eval` may add variables, or keep them all: in the functions around, or in a script outside of functions. */
function callsEval(program: Program, { path }: Place): boolean {
  const outermost = path.find(isFunction) ?? program;
  const topLevel = nodesIn(program, (node) => !isFunction(node));
  return [...topLevel, ...nodesIn(outermost)].some(
    (node) =>
      node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'eval',
  );
}

/** Of a scope that has been left for a function in it, V8 keeps the variables that functions name. */
function keptIn(node: AnyNode, names: readonly string[]): readonly string[] {
  // In any case, for V8, one that is caught.
  if (node.type === 'CatchClause' && node.param?.type === 'Identifier') return names;
  const named = new Set<string>();
  for (const child of nodesIn(node, (below) => !isRunLater(below))) {
    if (!isRunLater(child)) continue;
    for (const below of nodesIn(child)) if (below.type === 'Identifier') named.add(below.name);
  }
  return names.filter((name) => named.has(name));
}

function isRunLater(node: AnyNode): boolean {
  return isFunction(node) || node.type === 'PropertyDefinition' || node.type === 'StaticBlock';
}

function isReadable(name: string): boolean {
  return IDENTIFIER.test(name) && !RESERVED.has(name);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
