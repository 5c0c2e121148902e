import { OF_LISTS, OF_NUMBER, OF_TEXTS } from './built-ins.js';

/** Elements of a list that are read, or made. */
const ELEMENTS = 1000;
/** Characters of what is looked for in a text. */
const ARGUMENT = 500;

/**
 * The source of a function `(tools) => ({ callFunction, callMethod })`; both call what is built in and run no code of an
 * application: the functions of this realm in place of those that were found, which have to be native and of that name.
 * `tools.cannot()` throws, for all that would be something else.
 */
export const BUILT_INS_SOURCE = `(({ types, textOf, find, boxed, operand, bounded, cannot, listOf }) => {
  const { isProxy, isMap, isSet, isTypedArray, isStringObject } = types;
  const ofText = new Set(${JSON.stringify(OF_TEXTS)});
  const ofList = new Set(${JSON.stringify(OF_LISTS)});
  const ofNumbers = new Set(${JSON.stringify(OF_NUMBER)});
  const call = (holder, name, receiver, given) => Reflect.apply(holder[name], receiver, given);
  const isNative = (value, text) =>
    typeof value === 'function' && textOf.call(value) === 'function ' + text + '() { [native code] }';

  /** To compare a long text or number takes long. */
  const isLong = (one) => typeof one === 'bigint' || (typeof one === 'string' && one.length > ${ARGUMENT});
  const elementsOf = (list) => {
    if (list.length > ${ELEMENTS}) cannot();
    const elements = [];
    for (let at = 0; at < list.length; at += 1) {
      const element = Object.getOwnPropertyDescriptor(list, at);
      if (element === undefined || !('value' in element)) cannot();
      elements.push(element.value);
    }
    return elements;
  };
  const callText = (name, text, given) => {
    for (const one of given) if (isLong(operand(one))) cannot();
    if (name !== 'split') return bounded(call(String.prototype, name, operand(text), given));
    // Of a text the language asks whether it knows better.
    if (typeof given[0] !== 'string' || find(boxed(''), Symbol.split) !== undefined) cannot();
    const parts = call(String.prototype, name, operand(text), given);
    return parts.length > ${ELEMENTS} ? cannot() : listOf(parts);
  };
  const callList = (name, list, given) => {
    const elements = elementsOf(list);
    if (name === 'join') {
      const separator = operand(given[0] === undefined ? ',' : given[0]);
      return elements.reduce((text, one, at) => {
        const next = one === undefined || one === null ? '' : String(operand(one));
        return bounded(at === 0 ? next : text + separator + next);
      }, '');
    }
    for (const place of name === 'at' || name === 'slice' ? given : given.slice(1)) {
      if (place !== undefined && typeof place !== 'number') cannot();
    }
    if (isLong(given[0])) cannot();
    if (name !== 'slice') return call(Array.prototype, name, elements, given);
    // It asks the list's class what to make.
    const made = find(list, 'constructor')?.value;
    const species = isNative(made, 'Array') ? find(made, Symbol.species)?.get : undefined;
    return isNative(species, 'get [Symbol.species]') ? listOf(elements.slice(...given)) : cannot();
  };
  const callGlobal = (holder, name, given) => {
    const [first] = given;
    if (holder === 'Math' && name !== 'random' && Object.hasOwn(Math, name)) {
      if (given.some((one) => typeof one !== 'number')) cannot();
      return call(Math, name, Math, given);
    }
    // For numbers alone the global functions of these names are the same.
    if (holder === 'Number' && ofNumbers.has(name) && typeof first === 'number') return call(Number, name, Number, given);
    if (isProxy(first)) cannot();
    if (holder === 'Array' && name === 'isArray') return Array.isArray(first);
    if (holder !== 'Object' || name !== 'keys' || typeof first !== 'object' || first === null) cannot();
    if (isTypedArray(first) || isStringObject(first) || (Array.isArray(first) && first.length > ${ELEMENTS})) cannot();
    const keys = Object.keys(first);
    return keys.length > ${ELEMENTS} ? cannot() : listOf(keys);
  };

  /** A function that was found under a name of its own: \`String(x)\`. */
  const callFunction = (name, found, given) => {
    if (!isNative(found, name)) cannot();
    if (name === 'Boolean') return Boolean(given[0]);
    if (name === 'Number') return Number(...given.map(operand));
    return name === 'String' ? bounded(String(...given.map(operand))) : cannot();
  };
  /** A function that was found in \`receiver\`, which is the global \`holder\` unless that is \`undefined\`. */
  const callMethod = (name, found, receiver, given, holder) => {
    if (!isNative(found, name)) cannot();
    if (holder !== undefined) return callGlobal(holder, name, given);
    if (typeof receiver === 'string' && ofText.has(name)) return callText(name, receiver, given);
    if (isProxy(receiver)) cannot();
    if (Array.isArray(receiver) && ofList.has(name)) return callList(name, receiver, given);
    if (isLong(given[0])) cannot();
    if (isMap(receiver) && (name === 'has' || name === 'get')) return call(Map.prototype, name, receiver, given);
    if (isSet(receiver) && name === 'has') return call(Set.prototype, name, receiver, given);
    return cannot();
  };
  return { callFunction, callMethod };
})`;
