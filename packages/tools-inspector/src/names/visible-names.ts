import type { AnyNode, Program } from 'acorn';
import { keptIn } from './kept-in.js';
import { parsePlace } from './parse-script.js';
import type { ScriptPlace } from './parse-script.js';
import { placeAt } from './place-at.js';
import type { Place } from './place-at.js';
import { scopesOf } from './scopes.js';
import type { Scope } from './scopes.js';
import { isFunction, nodesIn } from './syntax-tree.js';

export interface VisibleNames {
  /**
   * Variables of the innermost function and of what is around it, those of the top level excepted: innermost scope first, within
   * a scope in the order of declaration, each name once. One that V8 has dropped may be among them: to read it throws.
   */
  readonly variables: readonly string[];
  /** How many of these, from the first, the innermost function has for certain: one that cannot be read has no value yet. */
  readonly own: number;
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
export function visibleNames(question: ScriptPlace): VisibleNames | undefined {
  try {
    const parsed = parsePlace(question);
    return parsed && namesAt(parsed.program, parsed.offset);
  } catch {
    // What the parser does not know, or what is nested too deep for a stack.
    return undefined;
  }
}

function namesAt(program: Program, offset: number): VisibleNames | undefined {
  const place = placeAt(program, offset);
  if (place === undefined || callsEval(program, place)) return undefined;
  const scopes = scopesOf(place.path).filter(({ names }) => names.length > 0);
  const all = unique(scopes.flatMap(({ names }) => names));
  if (all.some((name) => name === 'globalThis' || name.startsWith('$agent'))) return undefined;

  const blocks = blocksOf(place, scopes);
  if (blocks.length > 0 && isUnsureOf(blocks, place)) return undefined;
  const gone = scopes.filter(
    (scope) => isHeadOfLoop(scope.node, offset) || (place.returns !== 'no' && blocks.includes(scope)),
  );
  const hidden = new Set(gone.flatMap(({ names }) => names));
  const own: string[] = [];
  const around: string[] = [];
  for (const scope of scopes) {
    if (scope.node === program || gone.includes(scope)) continue;
    const isRunning = scope.node === place.innermost || blocks.includes(scope);
    const kept = isRunning ? scope.names : keptIn(scope);
    const isCertain = isRunning && scope.isOwnName !== true;
    (isCertain ? own : around).push(...kept.filter((name) => !hidden.has(name) && isReadable(name)));
    // Dropped or not, it hides those of its name further out.
    for (const name of scope.names) hidden.add(name);
  }
  const declared = all.filter((name) => !gone.some(({ names }) => names.includes(name)));
  return { variables: [...own, ...around], own: own.length, declared: declared.filter(isReadable) };
}

/** The scopes inside of the innermost function's own. */
function blocksOf({ path, innermost }: Place, scopes: readonly Scope[]): readonly Scope[] {
  const inside = new Set(path.slice(path.indexOf(innermost) + 1));
  return scopes.filter(({ node }) => inside.has(node));
}

/** Whether a loop's own variables have no value yet: Node 24 reads others of their names then. */
function isHeadOfLoop(node: AnyNode, offset: number): boolean {
  return (node.type === 'ForOfStatement' || node.type === 'ForInStatement') && offset < node.body.start;
}

/** Whether V8 may or may not have left the blocks, or shows some of what it has left. */
function isUnsureOf(blocks: readonly Scope[], { returns }: Place): boolean {
  if (returns === 'no') return false;
  return returns === 'perhaps' || blocks.some((block) => keptIn(block).length > 0);
}

/** Whether a direct `eval` may add variables, or keep them all: in the functions around, or in a script outside of functions. */
function callsEval(program: Program, { path }: Place): boolean {
  const topLevel = nodesIn(program, (node) => !isFunction(node));
  return holdsEval(topLevel) || holdsEval(nodesIn(path.find(isFunction) ?? program));
}

function holdsEval(nodes: Iterable<AnyNode>): boolean {
  for (const node of nodes) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') continue;
    if (node.callee.name === 'eval') return true;
  }
  return false;
}

function isReadable(name: string): boolean {
  return IDENTIFIER.test(name) && !RESERVED.has(name);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
