import type { AnyNode } from 'acorn';
import type { Scope } from './scopes.js';
import { isClass, isFunction, nodesIn } from './syntax-tree.js';

/** Of a scope that has been left for a function in it, V8 keeps the variables that functions name. */
export function keptIn({ node, names }: Scope): readonly string[] {
  if (isKeptAnyway(node)) return names;
  const named = new Set<string>();
  for (const child of nodesIn(node, (below) => !isRunLater(below))) {
    if (!isRunLater(child)) continue;
    for (const below of nodesIn(child)) if (below.type === 'Identifier') named.add(below.name);
  }
  return names.filter((name) => named.has(name));
}

/** V8 keeps what is caught, and a class for its static private methods, whether or not they are named. */
function isKeptAnyway(node: AnyNode): boolean {
  if (node.type === 'CatchClause') return node.param?.type === 'Identifier';
  if (!isClass(node)) return false;
  return node.body.body.some(
    (member) =>
      member.type === 'MethodDefinition' && member.static && member.key.type === 'PrivateIdentifier',
  );
}

function isRunLater(node: AnyNode): boolean {
  return isFunction(node) || node.type === 'PropertyDefinition' || node.type === 'StaticBlock';
}
