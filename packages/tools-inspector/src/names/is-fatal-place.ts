import type { AnyNode } from 'acorn';
import { declaredIn } from './declared-in.js';
import { keptIn } from './kept-in.js';
import { parsePlace } from './parse-script.js';
import type { ScriptPlace } from './parse-script.js';
import { nodesIn } from './syntax-tree.js';

/**
 * Whether to pause or to evaluate anything at a place would abort the whole process: in the head of a `switch` whose cases
 * declare variables that functions keep, V8 fails a check of its own (seen on Node 20 and 22, and no more on 24). False
 * also where the script cannot be read.
 */
export function isFatalPlace(place: ScriptPlace): boolean {
  try {
    const parsed = parsePlace(place);
    if (parsed === undefined) return false;
    for (const node of nodesIn(parsed.program)) if (isFatalHead(node, parsed.offset)) return true;
    return false;
  } catch {
    return false;
  }
}

function isFatalHead(node: AnyNode, offset: number): boolean {
  if (node.type !== 'SwitchStatement') return false;
  const { start, end } = node.discriminant;
  if (offset < start || offset > end) return false;
  return keptIn({ node, names: declaredIn(node).map(({ name }) => name) }).length > 0;
}
