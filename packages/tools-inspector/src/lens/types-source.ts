/**
 * The source of a function `(nodeTypes) => types`: of `util.types` what is native, so that an application that has put functions of
 * its own there has none of them called. Throws where it has: nothing can be told of its values then.
 */
export const TYPES_SOURCE = `((nodeTypes) => {
  const types = Object.create(null);
  const { toString: textOf } = Function.prototype;
  for (const name of ['isProxy', 'isDate', 'isMap', 'isSet', 'isArrayBuffer', 'isNativeError', 'isStringObject']) {
    const own = Object.getOwnPropertyDescriptor(nodeTypes, name)?.value;
    // Node 24 gives them no name.
    const texts = ['function ' + name + '() { [native code] }', 'function () { [native code] }'];
    if (typeof own !== 'function' || !texts.includes(textOf.call(own))) {
      throw new Error('util.types.' + name + ' is not what Node has there');
    }
    types[name] = own;
  }
  // Node's is no native one.
  const { get: nameOf } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
  types.isTypedArray = (value) => nameOf.call(value) !== undefined;
  return types;
})`;
