import type { AnyNode, FunctionDeclaration, Identifier, Pattern } from 'acorn';
import { childrenOf, isClass, isFunction } from './syntax-tree.js';

/** The variables of a pattern. */
export function boundBy(pattern: Pattern): readonly Identifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        boundBy(property.type === 'RestElement' ? property : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : boundBy(element)));
    case 'AssignmentPattern':
      return boundBy(pattern.left);
    case 'RestElement':
      return boundBy(pattern.argument);
    case 'MemberExpression':
      return [];
  }
}

/** What a node declares for the code inside it alone. */
export function declaredIn(node: AnyNode): readonly Identifier[] {
  if (node.type === 'CatchClause') return node.param == null ? [] : boundBy(node.param);
  if (isClass(node)) return node.id == null ? [] : [node.id];
  return declaredBy(statementsIn(node));
}

/**
 * What is declared somewhere below a node and belongs to the function around: `var`, and in sloppy mode functions in blocks,
 * unless a block around them declares the name otherwise.
 */
export function hoistedFrom(
  node: AnyNode,
  sloppy: boolean,
  around: ReadonlySet<string> = new Set(),
): readonly Identifier[] {
  const found: Identifier[] = [];
  if (node.type === 'VariableDeclaration' && node.kind === 'var') {
    found.push(...node.declarations.flatMap(({ id }) => boundBy(id)));
  }
  const here = sloppy ? takenIn(node) : [];
  const taken = here.length === 0 ? around : new Set([...around, ...here]);
  for (const child of childrenOf(node)) {
    if (sloppy && isHoisting(child) && !taken.has(child.id.name)) found.push(child.id);
    if (!isFunction(child) && !isClass(child)) found.push(...hoistedFrom(child, sloppy, taken));
  }
  return found;
}

/** The statements whose declarations are of the block that a node is. */
function statementsIn(node: AnyNode): readonly AnyNode[] {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
      return node.body;
    case 'SwitchStatement':
      return node.cases.flatMap(({ consequent }) => consequent);
    case 'ForStatement':
      return node.init == null ? [] : [node.init];
    case 'ForInStatement':
    case 'ForOfStatement':
      return [node.left];
    case 'IfStatement':
      return [node.consequent, node.alternate].filter((branch) => branch?.type === 'FunctionDeclaration');
    default:
      return [];
  }
}

function declaredBy(statements: readonly AnyNode[]): readonly Identifier[] {
  return statements.flatMap((statement) => {
    switch (statement.type) {
      case 'VariableDeclaration':
        return statement.kind === 'var' ? [] : statement.declarations.flatMap(({ id }) => boundBy(id));
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        return statement.id === null ? [] : [statement.id];
      case 'ImportDeclaration':
        return statement.specifiers.map(({ local }) => local);
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        return statement.declaration == null ? [] : declaredBy([statement.declaration]);
      case 'LabeledStatement':
        return declaredBy([statement.body]);
      default:
        return [];
    }
  });
}

/** Names of a block that a function in it, or in a block of it, cannot have as a `var`. */
function takenIn(node: AnyNode): readonly string[] {
  // `catch (name)` alone leaves it to a var of that name.
  if (node.type === 'CatchClause' && node.param?.type === 'Identifier') return [];
  if (node.type === 'CatchClause') return declaredIn(node).map(({ name }) => name);
  const others = statementsIn(node).filter((statement) => !isHoisting(inLabels(statement)));
  return declaredBy(others).map(({ name }) => name);
}

function inLabels(statement: AnyNode): AnyNode {
  return statement.type === 'LabeledStatement' ? inLabels(statement.body) : statement;
}

/** Whether a function in a block is a `var` of the function around too, in sloppy mode. */
function isHoisting(node: AnyNode): node is FunctionDeclaration {
  return node.type === 'FunctionDeclaration' && node.id !== null && !node.async && !node.generator;
}
