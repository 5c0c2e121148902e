import { BUILT_INS_SOURCE } from './built-ins-source.js';

/** Characters of a text that is worked with, or made. */
const TEXT = 10_000;

/**
 * The source of a function `(reading, types, self) => (tree, scopes, self) => ValueTree | undefined`, for a realm that no application has;
 * `reading` is what the lens reads with. It evaluates a `PureExpression` and describes the value. `undefined`: it cannot be
 * done without running code of the application (a getter, a proxy, an object made a text), or would be too much work. What
 * throws in any case is told in V8's words.
 */
export const EVALUATOR_SOURCE = `(({ find, sizeOf, textOf, boxed, application, unavailable, leaf, short, describeAsked }, types, theirs) => {
  const SKIPPED = Symbol('skipped');
  const BIG = 2n ** 64n;
  let told;
  const cannot = () => { throw told; };
  const tell = (text) => { told = leaf(text); throw told; };

  const isObject = (value) => typeof value === 'function' || (typeof value === 'object' && value !== null);
  const isText = (value) => typeof value === 'string';
  const isBig = (value) => typeof value === 'bigint';
  /** A value that the language can make a number or a text of, of no great size. */
  const operand = (value) => {
    if (isObject(value) || typeof value === 'symbol') cannot();
    if (isText(value) && value.length > ${TEXT}) cannot();
    if (isBig(value) && (value >= BIG || value <= -BIG)) cannot();
    return value;
  };
  const bounded = (value) => (isText(value) && value.length > ${TEXT} ? cannot() : value);

  // Without a prototype of its own, this function makes things that inherit from what belongs to its realm.
  Object.defineProperty(theirs, 'prototype', { value: null });
  const filled = (object, entries) => {
    for (const [key, value] of entries) {
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    }
    return object;
  };
  const listOf = (items) => filled(Reflect.construct(Array, [], theirs), items.entries());
  const recordOf = (entries) => filled(Reflect.construct(Object, [], theirs), entries);
  const { callFunction, callMethod } = ${BUILT_INS_SOURCE}({ types, textOf, find, boxed, operand, bounded, cannot, listOf });

  const isVariable = (name, { scopes }) => scopes.some((scope) => Object.hasOwn(scope, name));
  const valueOf = (name, { scopes, self }) => {
    const holder = scopes.find((scope) => Object.hasOwn(scope, name));
    const found = name === 'this' ? { value: self } : Object.getOwnPropertyDescriptor(holder ?? application, name);
    if (found === undefined || !('value' in found)) cannot();
    return found.value === unavailable ? tell('<not available>') : found.value;
  };
  const keyOf = (key) => (isText(key) || typeof key === 'number' ? String(operand(key)) : cannot());
  const fieldOf = (value, key) => {
    if (value === undefined || value === null) {
      tell("<threw TypeError: Cannot read properties of " + value + " (reading '" + short(key) + "')>");
    }
    // To read the stack of an error may call what an application has set for it.
    if (key === 'stack') cannot();
    const found = find(boxed(value), key);
    if (found === undefined || 'value' in found) return found?.value;
    return found.told === undefined ? (sizeOf(value, key, found.get) ?? cannot()).value : cannot();
  };

  /** Texts and numbers of any length are compared by what is in them. */
  const same = (left, right) => {
    if (typeof left === typeof right && (isText(left) || isBig(left))) {
      operand(left);
      operand(right);
    }
    return left === right;
  };
  const equals = (left, right) => {
    if (left === null || left === undefined) return right === null || right === undefined;
    if (right === null || right === undefined) return false;
    return isObject(left) && isObject(right) ? left === right : operand(left) == operand(right);
  };
  const binary = (operator, left, right) => {
    switch (operator) {
      case '===': return same(left, right);
      case '!==': return !same(left, right);
      case '==': return equals(left, right);
      case '!=': return !equals(left, right);
      case 'in': {
        if (!isObject(right) || keyOf(left) === 'stack') cannot();
        const found = find(right, keyOf(left));
        return found?.told === undefined ? found !== undefined : cannot();
      }
    }
    operand(left);
    operand(right);
    switch (operator) {
      case '+': return isBig(left) && isBig(right) ? operand(left + right) : bounded(left + right);
      case '-': return operand(left - right);
      case '<': return left < right;
      case '>': return left > right;
      case '<=': return left <= right;
      case '>=': return left >= right;
    }
    if (isBig(left) || isBig(right)) cannot();
    switch (operator) {
      case '*': return left * right;
      case '/': return left / right;
      case '%': return left % right;
      case '**': return left ** right;
      case '&': return left & right;
      case '|': return left | right;
      case '^': return left ^ right;
      case '<<': return left << right;
      case '>>': return left >> right;
      case '>>>': return left >>> right;
      default: return cannot();
    }
  };
  const unary = (operator, value) => {
    switch (operator) {
      case '!': return !value;
      case 'typeof': return typeof value;
      case 'void': return undefined;
      case '-': return -operand(value);
      case '+': return isBig(value) ? cannot() : +operand(value);
      case '~': return isBig(value) ? cannot() : ~operand(value);
      default: return cannot();
    }
  };
  const call = ({ callee, given }, frame) => {
    const values = () => given.map((one) => evaluate(one, frame));
    if (callee.kind === 'name') return callFunction(callee.name, valueOf(callee.name, frame), values());
    const { of, optional } = callee;
    const receiver = evaluate(of, frame);
    if (receiver === SKIPPED || (optional && (receiver === undefined || receiver === null))) return SKIPPED;
    const key = keyOf(evaluate(callee.key, frame));
    const holder = of.kind === 'name' && of.name !== 'this' && !isVariable(of.name, frame) ? of.name : undefined;
    return callMethod(key, fieldOf(receiver, key), receiver, values(), holder);
  };

  function evaluate(node, frame) {
    switch (node.kind) {
      case 'literal': return node.value;
      case 'bigint': return BigInt(node.digits);
      case 'name': return valueOf(node.name, frame);
      case 'unary': return unary(node.operator, evaluate(node.of, frame));
      case 'binary': return binary(node.operator, evaluate(node.left, frame), evaluate(node.right, frame));
      case 'logical': {
        const left = evaluate(node.left, frame);
        const goesOn = node.operator === '&&' ? left : node.operator === '||' ? !left : left === undefined || left === null;
        return goesOn ? evaluate(node.right, frame) : left;
      }
      case 'choice': return evaluate(evaluate(node.test, frame) ? node.yes : node.no, frame);
      case 'template': return node.parts.reduce((text, part) => bounded(text + String(operand(evaluate(part, frame)))), '');
      case 'list': return listOf(node.items.map((item) => evaluate(item, frame)));
      case 'record': return recordOf(node.entries.map(([key, value]) => [key, evaluate(value, frame)]));
      case 'member': {
        const value = evaluate(node.of, frame);
        if (value === SKIPPED || (node.optional && (value === undefined || value === null))) return SKIPPED;
        return fieldOf(value, keyOf(evaluate(node.key, frame)));
      }
      case 'call': return call(node, frame);
      case 'chain': {
        const value = evaluate(node.of, frame);
        return value === SKIPPED ? undefined : value;
      }
      default: return cannot();
    }
  }

  return (tree, scopes, self) => {
    told = undefined;
    try { return describeAsked(evaluate(tree, { scopes, self })); } catch { return told; }
  };
})`;
