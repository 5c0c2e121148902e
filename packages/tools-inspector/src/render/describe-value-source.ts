/**
 * The source of a function `(limits, types) => (value) => ValueTree`, `types` being Node's `util.types` or its like. What it makes
 * runs in the inspected thread, so that a huge value never travels, and calls no code of the application: no getters, and
 * no traps of what `types.isProxy` knows.
 * Under V8's `throwOnSideEffect` more is forbidden than it seems: object spread, `Map.set`, an error's `stack`, a regular
 * expression's `source`. It is text because a bundler may put calls of its own helpers into a function, which the other
 * thread does not have.
 */
export const DESCRIBER_SOURCE = String.raw`((limits, types) => {
  const { isProxy, isDate, isMap, isSet, isArrayBuffer, isTypedArray, isStringObject } = types;
  const budget = { left: limits.nodes };
  // A chain of prototypes may be of any length.
  const LEVELS = 100;
  const descriptorOf = (object, key) => (isProxy(object) ? undefined : Object.getOwnPropertyDescriptor(object, key));
  const prototypeOf = (object) => (isProxy(object) ? null : Object.getPrototypeOf(object));

  const LONG = 2n ** 65_536n;
  const clip = (text, most) =>
    text.length <= most ? { text, omitted: 0 } : { text: text.slice(0, most), omitted: text.length - most };
  const short = (text) => { const { text: kept, omitted } = clip(text, limits.short); return omitted > 0 ? kept + '…' : kept; };
  const leaf = (text) => ({ kind: 'leaf', text: short(text) });

  // Built-in getters take a value of another realm as well, and call nothing of the value's own.
  const sizeBy = (is, prototype, name) => {
    const { get } = descriptorOf(prototype, name);
    return (value) => (is(value) ? get.call(value) : undefined);
  };
  const mapSize = sizeBy(isMap, Map.prototype, 'size');
  const setSize = sizeBy(isSet, Set.prototype, 'size');
  const typedLength = sizeBy(isTypedArray, prototypeOf(Uint8Array.prototype), 'length');
  const byteLength = sizeBy(isArrayBuffer, ArrayBuffer.prototype, 'byteLength');
  const timeOf = (value) => (isDate(value) ? Date.prototype.getTime.call(value) : undefined);

  const data = (object, key, type) => {
    const descriptor = descriptorOf(object, key);
    return descriptor !== undefined && typeof descriptor.value === type ? descriptor.value : undefined;
  };
  const inherited = (object, key, type) => {
    let holder = object;
    for (let level = 0; holder !== null && level < LEVELS; level += 1, holder = prototypeOf(holder)) {
      const value = data(holder, key, type);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const classOf = (value) => {
    const prototype = prototypeOf(value);
    if (prototype === null) return '';
    const constructor = inherited(prototype, 'constructor', 'function');
    return constructor === undefined ? '' : short(data(constructor, 'name', 'string') ?? '');
  };
  const isError = (value) => {
    let holder = prototypeOf(value);
    for (let level = 0; holder !== null && level < LEVELS; level += 1, holder = prototypeOf(holder)) {
      if (data(holder, 'message', 'string') !== undefined && data(holder, 'name', 'string') !== undefined) return true;
    }
    return false;
  };

  const describeFunction = (value) => {
    const isClass = Function.prototype.toString.call(value).slice(0, 5) === 'class';
    return leaf('[' + (isClass ? 'class ' : 'Function ') + (data(value, 'name', 'string') || '(anonymous)') + ']');
  };
  const describeProperty = (descriptor, path) => {
    if (descriptor === undefined) return leaf('<empty>');
    if ('value' in descriptor) return describe(descriptor.value, path);
    if (descriptor.get === undefined) return leaf('[Setter]');
    return leaf(descriptor.set === undefined ? '[Getter]' : '[Getter/Setter]');
  };
  const describeKey = (key) =>
    typeof key === 'symbol' ? leaf('[' + String(key) + ']') : { kind: 'string', value: clip(key, limits.short) };

  const describeObject = (value, path) => {
    const up = path.lastIndexOf(value);
    if (up >= 0) return { kind: 'circular', up: path.length - up };
    const label = classOf(value);
    const time = timeOf(value);
    if (time !== undefined) return leaf('Date ' + (time === time ? Date.prototype.toISOString.call(value) : 'invalid'));
    const bytes = byteLength(value);
    if (bytes !== undefined) return leaf(label + '(' + bytes + ' bytes)');
    // Each of its characters is a key, which V8 would make a list of.
    if (isStringObject(value)) return leaf('[String: ' + JSON.stringify(String.prototype.valueOf.call(value).slice(0, limits.short)) + ']');

    const inside = [...path, value];
    const entries = [];
    const open = (size) => (inside.length > limits.depth ? 0 : Math.min(size, limits.entries));
    const node = (shape, size) => ({ kind: 'node', shape, label, size, entries });

    const map = mapSize(value);
    if (map !== undefined) {
      const iterator = Map.prototype.entries.call(value);
      for (let count = open(map); count > 0 && budget.left > 0; count -= 1) {
        const entry = iterator.next().value;
        entries.push([describe(entry[0], inside), describe(entry[1], inside)]);
      }
      return node('map', map);
    }
    const set = setSize(value);
    if (set !== undefined) {
      const iterator = Set.prototype.values.call(value);
      for (let count = open(set); count > 0 && budget.left > 0; count -= 1) {
        entries.push([null, describe(iterator.next().value, inside)]);
      }
      return node('set', set);
    }
    const typed = typedLength(value);
    if (typed !== undefined || Array.isArray(value)) {
      const length = typed ?? value.length;
      for (let index = 0; index < open(length) && budget.left > 0; index += 1) {
        entries.push([null, describeProperty(descriptorOf(value, index), inside)]);
      }
      return node('array', length);
    }
    const error = isError(value);
    const keys = Reflect.ownKeys(value).filter((key) => !error || (key !== 'stack' && key !== 'message'));
    for (let index = 0; index < open(keys.length) && budget.left > 0; index += 1) {
      entries.push([describeKey(keys[index]), describeProperty(descriptorOf(value, keys[index]), inside)]);
    }
    const described = node(error ? 'error' : 'object', keys.length);
    if (error) {
      described.label = short(inherited(value, 'name', 'string') ?? label);
      described.message = clip(inherited(value, 'message', 'string') ?? '', limits.string);
    }
    return described;
  };

  function describe(value, path) {
    budget.left -= 1;
    switch (typeof value) {
      case 'string':
        return { kind: 'string', value: clip(value, path.length === 0 ? limits.topString : limits.string) };
      case 'number':
        return leaf(Object.is(value, -0) ? '-0' : String(value));
      case 'bigint':
        // To write down a very long one takes V8 minutes.
        return leaf(value < LONG && value > -LONG ? String(value) + 'n' : '<a BigInt of more than 65,536 bits>');
      case 'function':
        return isProxy(value) ? leaf('Proxy') : describeFunction(value);
      case 'object':
        if (value === null) return leaf('null');
        if (isProxy(value)) return leaf('Proxy');
        try { return describeObject(value, path); } catch { return leaf('<unreadable>'); }
      default:
        return leaf(String(value));
    }
  }

  return (value) => {
    budget.left = limits.nodes;
    return describe(value, []);
  };
})`;

/**
 * Source of what stands for `util.types` where V8 lets nothing be called that it does not know: built-in functions throw
 * for what they do not belong to. That is slow, so it is not for where a thread stands still. Proxies are looked into.
 */
const TYPES_SOURCE = `(() => {
  const takes = (method) => (value) => { try { method.call(value); return true; } catch { return false; } };
  const getter = (prototype, name) => takes(Object.getOwnPropertyDescriptor(prototype, name).get);
  return {
    isProxy: () => false,
    isDate: takes(Date.prototype.getTime),
    isMap: getter(Map.prototype, 'size'),
    isSet: getter(Set.prototype, 'size'),
    isArrayBuffer: getter(ArrayBuffer.prototype, 'byteLength'),
    isStringObject: takes(String.prototype.valueOf),
    isTypedArray: getter(Object.getPrototypeOf(Uint8Array.prototype), 'length'),
  };
})()`;

/**
 * The source of a function `(run, limits) => { threw, tree }` that calls `run` and describes what it returns or throws. For
 * evaluations, which are the caller's code and have a timeout.
 */
export const DESCRIBE_VALUE_SOURCE = `((run, limits) => {
  const describe = ${DESCRIBER_SOURCE}(limits, ${TYPES_SOURCE});
  const attempt = () => {
    try { return { threw: false, value: run() }; } catch (error) { return { threw: true, value: error }; }
  };
  const outcome = attempt();
  return { threw: outcome.threw, tree: describe(outcome.value) };
})`;
