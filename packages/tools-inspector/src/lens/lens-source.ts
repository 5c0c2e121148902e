import { DESCRIBER_SOURCE } from '../render/describe-value-source.js';
import type { ValueLimits } from '../render/value-tree.js';

/** Variables that are recorded of a frame. */
export const VARIABLES = 40;
/** A hit keeps the worker from its work: one level. */
const LIMITS: ValueLimits = { nodes: 300, depth: 1, entries: 20, topString: 400, string: 100, short: 100 };
/** What was asked for by name may be longer. */
const PATH_LIMITS: ValueLimits = { ...LIMITS, topString: 4000, string: 400 };

/**
 * Follows a path through what is there, without running any code: getters are named, not called, those of the language
 * itself excepted. What cannot be followed is said in the words V8 has for it.
 */
const READ_PATH_SOURCE = `
  const leaf = (text) => ({ kind: 'leaf', text });
  // Getters of the language, of whatever realm: no function of an application has such a text, and ours are called in their place.
  const sizes = [
    [Map.prototype, 'size'], [Set.prototype, 'size'], [ArrayBuffer.prototype, 'byteLength'],
    ...['length', 'byteLength', 'byteOffset'].map((key) => [Object.getPrototypeOf(Uint8Array.prototype), key]),
  ].map(([holder, key]) => ({ key, get: Object.getOwnPropertyDescriptor(holder, key).get }));
  // V8 of Node 24 has one for stacks. Where this realm has nothing that makes them Node asks the application's.
  Error.prepareStackTrace = () => '';
  const stackOf = Object.getOwnPropertyDescriptor(new Error(), 'stack').get;
  const sizeOf = (value, key, get) => {
    if (key === 'stack' && stackOf !== undefined && isNativeError(value)) return { value: stackOf.call(value) };
    if (typeof get !== 'function' || textOf.call(get) !== 'function get ' + String(key) + '() { [native code] }') return undefined;
    for (const own of sizes) {
      if (own.key !== key) continue;
      try { return { value: own.get.call(value) }; } catch { /* It belongs to another kind of value. */ }
    }
    return undefined;
  };
  const find = (object, key) => {
    let holder = object;
    for (let level = 0; holder !== null && level < 100; level += 1) {
      if (isProxy(holder)) return { told: leaf('<a Proxy: it may run code>') };
      const descriptor = Object.getOwnPropertyDescriptor(holder, key);
      if (descriptor !== undefined) return descriptor;
      // What is no element of one is not looked for further on.
      if (isTypedArray(holder) && String(Number(key)) === String(key)) return undefined;
      holder = Object.getPrototypeOf(holder);
    }
    return holder === null ? undefined : { told: leaf('undefined') };
  };
  // V8 formats a stack when it is first read, and asks the application how if that has said so. Node has a function there.
  const formatsStacks = () => {
    const holder = Object.getOwnPropertyDescriptor(application, 'Error')?.value;
    if (typeof holder !== 'function' || isProxy(holder)) return true;
    const hook = Object.getOwnPropertyDescriptor(holder, 'prepareStackTrace');
    if (hook === undefined) return false;
    if (!('value' in hook)) return true;
    return typeof hook.value === 'function' && !textOf.call(hook.value).startsWith('function ErrorPrepareStackTrace(');
  };
  const describePath = ([root, ...fields], scopes, self) => {
    try {
      let value = self;
      if (root !== 'this') {
        const holder = [...scopes, application].find((scope) => !isProxy(scope) && Object.hasOwn(scope, root));
        if (holder === undefined) return leaf('<threw ReferenceError: ' + short(root) + ' is not defined>');
        const descriptor = Object.getOwnPropertyDescriptor(holder, root);
        if ('value' in descriptor) value = descriptor.value;
        // Node keeps it behind a getter.
        else if (holder === application && root === 'process') value = nodeProcess;
        else return leaf('[Getter]');
      }
      if (value === unavailable) return leaf('<not available>');
      for (const field of fields) {
        if (value === undefined || value === null) {
          return leaf("<threw TypeError: Cannot read properties of " + value + " (reading '" + short(field) + "')>");
        }
        if (field === 'stack' && formatsStacks()) return leaf('<not read: the application has code that makes stacks>');
        const found = find(boxed(value), field);
        const size = found === undefined ? undefined : sizeOf(value, field, found.get);
        if (found === undefined) value = undefined;
        else if (found.told !== undefined) return found.told;
        else if ('value' in found) value = found.value;
        else if (size !== undefined) value = size.value;
        else return leaf('[Getter]');
      }
      return describeAsked(value);
    } catch {
      return leaf('<not available>');
    }
  };`;

/**
 * The source of a function `(types, nodeProcess, self) => { look, unavailable, describePath, isGlobal, reading }`, for a realm that no application has; `types` is Node's
 * `util.types`, `self` a function of the application's realm that returns its `this`, in sloppy mode: a primitive
 * value gets the prototype it has there. `look` describes scopes, which are objects with the variables as their
 * properties, and calls no code of the application, which is why it needs no timeout. `unavailable` stands for the value of
 * a variable that has none yet, or none any more; `reading` is what it is done with.
 */
export const LENS_SOURCE = `((types, nodeProcess, self) => {
  const { isProxy, isNativeError, isTypedArray } = types;
  const { toString: textOf } = Function.prototype;
  const boxed = (value) => Reflect.apply(self, value, []);
  const application = boxed(undefined);
  const describe = ${DESCRIBER_SOURCE}(${JSON.stringify(LIMITS)}, types);
  const describeAsked = ${DESCRIBER_SOURCE}(${JSON.stringify(PATH_LIMITS)}, types);
  const short = (key) => String(key).slice(0, ${LIMITS.short});
  const unavailable = Object.freeze({});
  const valueOf = (holder, key) => {
    // V8's own scopes throw for what is not available.
    try {
      const descriptor = Object.getOwnPropertyDescriptor(holder, key);
      if (descriptor.value === unavailable) return { kind: 'leaf', text: '<not available>' };
      return 'value' in descriptor ? describe(descriptor.value) : { kind: 'leaf', text: '[Getter]' };
    } catch {
      return { kind: 'leaf', text: '<not available>' };
    }
  };
  ${READ_PATH_SOURCE}
  /** The variables of the first \`own\` scopes and of what was thrown; paths in all scopes. */
  const look = (own, scopes, self, paths, thrown) => {
    const variables = [];
    const names = new Set();
    let left = 0;
    const lookAt = (holder, omitted) => {
      if (isProxy(holder)) return;
      for (const key of Reflect.ownKeys(holder)) {
        if (names.has(key) || omitted.includes(key)) continue;
        if (names.size >= ${VARIABLES}) {
          left += 1;
          continue;
        }
        names.add(key);
        variables.push([short(key), valueOf(holder, key)]);
      }
    };
    for (const scope of scopes.slice(0, own)) lookAt(scope, []);
    // Told already, with the text V8 has of an error.
    if (thrown !== undefined) lookAt(thrown, ['stack', 'message']);
    return { variables, left, paths: paths.map((path) => describePath(path, scopes, self)) };
  };
  /** Whether code sees under this name what the global object has there: what hides it need not be in the source. */
  const isGlobal = (name, read) => {
    const found = Object.getOwnPropertyDescriptor(application, name);
    return found !== undefined && 'value' in found && Object.is(read(), found.value);
  };
  const reading = { find, sizeOf, textOf, boxed, application, unavailable, leaf, short, describeAsked };
  return { look, unavailable, describePath, isGlobal, reading };
})`;
