/** Methods of texts; none that makes a long one. */
export const OF_TEXTS: readonly string[] =
  'includes startsWith endsWith indexOf lastIndexOf slice substring trim trimStart trimEnd toUpperCase toLowerCase charAt charCodeAt at split'.split(
    ' ',
  );
export const OF_LISTS: readonly string[] = 'includes indexOf at slice join'.split(' ');
export const OF_MAPS: readonly string[] = ['has', 'get'];
export const OF_NUMBER: readonly string[] = 'isInteger isNaN isFinite isSafeInteger'.split(' ');
/** Functions that make a primitive value of another one. */
export const CONVERSIONS: readonly string[] = ['Number', 'String', 'Boolean'];

const METHODS = new Set([...OF_TEXTS, ...OF_LISTS, ...OF_MAPS]);
const OF_GLOBALS: Readonly<Record<string, (name: string) => boolean>> = {
  Math: (name) => name !== 'random' && Object.hasOwn(Math, name),
  Number: (name) => OF_NUMBER.includes(name),
  Array: (name) => name === 'isArray',
  Object: (name) => name === 'keys',
};

/** Whether a method of this name could be a built-in one that is known; `holder` is the name that stands before it, if one does. */
export function mayBeBuiltIn(name: string, holder: string | undefined): boolean {
  return METHODS.has(name) || (holder !== undefined && OF_GLOBALS[holder]?.(name) === true);
}
