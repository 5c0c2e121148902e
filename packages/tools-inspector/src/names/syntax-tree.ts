import type {
  AnyNode,
  ArrowFunctionExpression,
  ClassDeclaration,
  ClassExpression,
  FunctionDeclaration,
  FunctionExpression,
} from 'acorn';

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;
export type ClassNode = ClassDeclaration | ClassExpression;

export function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  );
}

export function isClass(node: AnyNode): node is ClassNode {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}

/** The nodes right below, in the order of the source, without names that refer to no variable: keys, labels and a function's own. */
export function childrenOf(node: AnyNode): readonly AnyNode[] {
  const skipped = keyOfName(node);
  const children: AnyNode[] = [];
  for (const key of Object.keys(node)) {
    if (key === skipped) continue;
    const value: unknown = Reflect.get(node, key);
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push(child);
  }
  return children;
}

/** Everything below a node, in the order of the source; not what is below a node that `enters` refuses. */
export function* nodesIn(
  root: AnyNode,
  enters: (node: AnyNode) => boolean = () => true,
): Generator<AnyNode, void> {
  const left = childrenOf(root).toReversed();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    yield node;
    if (!enters(node)) continue;
    for (const child of childrenOf(node).toReversed()) left.push(child);
  }
}

function keyOfName(node: AnyNode): string | undefined {
  switch (node.type) {
    case 'MemberExpression':
      return node.computed ? undefined : 'property';
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return node.computed ? undefined : 'key';
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return 'label';
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return 'id';
    default:
      return undefined;
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
