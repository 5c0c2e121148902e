import { parseExpressionAt } from 'acorn';
import type { CallExpression, Expression, Literal, ObjectExpression, PrivateIdentifier, Super } from 'acorn';
import type { SpreadElement, TemplateLiteral } from 'acorn';
import { CONVERSIONS, mayBeBuiltIn } from './built-ins.js';
import type { ParsedExpression, PureExpression } from './pure-expression.js';

const MOST_CHARACTERS = 500;
const MOST_NODES = 100;
/** Each may take milliseconds, of values that are large. */
const MOST_CALLS = 8;

const UNARY = new Set('! - + ~ typeof void'.split(' '));
const BINARY = new Set('+ - * / % ** < > <= >= == != === !== in & | ^ << >> >>>'.split(' '));

/** The tree of a text that is one expression and no more; `undefined` where it is anything else, or certain to need V8. */
export function parseExpression(text: string): ParsedExpression | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    // As in a module: what sloppy code reads otherwise (octal numbers, `<!--`) is not taken there. With parentheses, as an
    // expression in them would end before them.
    const node = parseExpressionAt(text, 0, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      preserveParens: true,
    });
    // Of a comment nobody knows what it hides.
    if (text.slice(node.end).trim() !== '') return undefined;
    const roots = new Set<string>();
    return { tree: createReader(roots)(node), roots: [...roots] };
  } catch {
    return undefined;
  }
}

type Read = (node: Expression | PrivateIdentifier | Super | SpreadElement) => PureExpression;

/** Throws for what is not in the language. */
function createReader(roots: Set<string>): Read {
  let left = MOST_NODES;
  let calls = MOST_CALLS;

  const read: Read = (node) => {
    left -= 1;
    if (left < 0) throw new RangeError('Too large');
    switch (node.type) {
      case 'ParenthesizedExpression':
        return read(node.expression);
      case 'Literal':
        return readLiteral(node);
      case 'Identifier':
        roots.add(node.name);
        return { kind: 'name', name: node.name };
      case 'ThisExpression':
        roots.add('this');
        return { kind: 'name', name: 'this' };
      case 'UnaryExpression':
        return { kind: 'unary', operator: among(UNARY, node.operator), of: read(node.argument) };
      case 'BinaryExpression': {
        const operator = among(BINARY, node.operator);
        return { kind: 'binary', operator, left: read(node.left), right: read(node.right) };
      }
      case 'LogicalExpression':
        return {
          kind: 'logical',
          operator: node.operator,
          left: read(node.left),
          right: read(node.right),
        };
      case 'ConditionalExpression':
        return {
          kind: 'choice',
          test: read(node.test),
          yes: read(node.consequent),
          no: read(node.alternate),
        };
      case 'TemplateLiteral':
        return { kind: 'template', parts: readTemplate(node, read) };
      case 'ArrayExpression':
        return { kind: 'list', items: node.elements.map((item) => read(present(item))) };
      case 'ObjectExpression':
        return { kind: 'record', entries: readEntries(node, read) };
      case 'MemberExpression': {
        const { property, computed, optional } = node;
        const of = read(node.object);
        const key: PureExpression =
          !computed && property.type === 'Identifier'
            ? { kind: 'literal', value: property.name }
            : read(property);
        return { kind: 'member', of, key, optional };
      }
      case 'CallExpression':
        calls -= 1;
        if (calls < 0) throw new RangeError('Too many calls');
        return readCall(node, read);
      case 'ChainExpression':
        return { kind: 'chain', of: read(node.expression) };
      default:
        throw new SyntaxError(`No ${node.type}`);
    }
  };
  return read;
}

function readLiteral({ value, bigint, regex }: Literal): PureExpression {
  if (bigint != null) return { kind: 'bigint', digits: bigint };
  if (regex != null || typeof value === 'bigint' || value instanceof RegExp) {
    throw new SyntaxError('No expressions of this kind');
  }
  // JSON has no infinite numbers.
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) {
    throw new SyntaxError('No such number');
  }
  return { kind: 'literal', value };
}

function readTemplate({ quasis, expressions }: TemplateLiteral, read: Read): readonly PureExpression[] {
  return quasis.flatMap(({ value }, at) => {
    const text: PureExpression = { kind: 'literal', value: present(value.cooked) };
    const next = expressions[at];
    return next === undefined ? [text] : [text, read(next)];
  });
}

function readEntries({ properties }: ObjectExpression, read: Read): readonly [string, PureExpression][] {
  return properties.map((property) => {
    if (property.type === 'SpreadElement' || property.kind !== 'init' || property.method || property.computed)
      throw new SyntaxError('No plain property');
    const { key, value } = property;
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '__proto__';
    if (name === '__proto__') throw new SyntaxError('No plain key');
    return [name, read(value)];
  });
}

function readCall({ callee, arguments: given, optional }: CallExpression, read: Read): PureExpression {
  const called = read(callee);
  if (optional || (called.kind !== 'member' && called.kind !== 'name')) throw new SyntaxError('No such call');
  if (!isKnown(called)) throw new SyntaxError('No built-in function');
  return { kind: 'call', callee: called, given: given.map(read) };
}

/** Whether it could be built in: all else would only be found to need V8 when it is reached. */
function isKnown(called: PureExpression): boolean {
  if (called.kind === 'name') return CONVERSIONS.includes(called.name);
  if (called.kind !== 'member' || called.key.kind !== 'literal') return false;
  return mayBeBuiltIn(String(called.key.value), called.of.kind === 'name' ? called.of.name : undefined);
}

function among(operators: ReadonlySet<string>, operator: string): string {
  if (!operators.has(operator)) throw new SyntaxError(`No ${operator}`);
  return operator;
}

function present<Value>(value: Value | null | undefined): Value {
  if (value == null) throw new SyntaxError('Something is left out');
  return value;
}
