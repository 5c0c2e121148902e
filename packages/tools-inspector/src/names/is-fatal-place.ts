import type { AnyNode, Program } from 'acorn';
import { declaredIn } from './declared-in.js';
import { keptIn } from './kept-in.js';
import { parsePlace } from './parse-script.js';
import type { ScriptPlace } from './parse-script.js';
import { isClass, isFunction, nodesIn } from './syntax-tree.js';

/**
 * Whether to pause or to evaluate anything at a place may abort the whole process, as V8 fails a check of its own: in the head
 * of a `switch` whose cases declare variables that functions keep (Node 20 and 22), and outside of the functions of a class
 * with arrow functions in its fields (Node 20). Node 24 has neither. False also where the script cannot be read.
 */
export function isFatalPlace(place: ScriptPlace): boolean {
  try {
    const parsed = parsePlace(place);
    if (parsed === undefined) return false;
    const { program, offset } = parsed;
    return isWhereClassIsMade(program, offset) || isInFatalHead(program, offset);
  } catch {
    return false;
  }
}

function isInFatalHead(program: Program, offset: number): boolean {
  for (const node of nodesIn(program)) {
    if (node.type !== 'SwitchStatement') continue;
    const { start, end } = node.discriminant;
    if (offset < start || offset > end) continue;
    if (keptIn({ node, names: declaredIn(node).map(({ name }) => name) }).length > 0) return true;
  }
  return false;
}

function isWhereClassIsMade(program: Program, offset: number): boolean {
  let nearest: AnyNode = program;
  // Those further in come later.
  for (const node of nodesIn(program)) {
    const isAround = node.start < offset && offset < node.end;
    if (isAround && (isFunction(node) || isClass(node))) nearest = node;
  }
  return isClass(nearest) && nearest.body.body.some(holdsArrow);
}

function holdsArrow(member: AnyNode): boolean {
  if (member.type !== 'PropertyDefinition' && member.type !== 'StaticBlock') return false;
  for (const node of nodesIn(member)) if (node.type === 'ArrowFunctionExpression') return true;
  return false;
}
