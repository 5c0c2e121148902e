const known = new WeakSet<object>();

/**
 * A deeply frozen copy of plain data. What is deeply frozen already is shared, not copied, so that recording every
 * request of a long run costs one array a request and not the whole transcript again.
 */
export function frozenSnapshot<T>(value: T): T {
  return snapshot(value) as T;
}

function snapshot(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || known.has(value)) return value;
  const copy = Array.isArray(value)
    ? value.map(snapshot)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, snapshot(item)]));
  const kept = Object.isFrozen(value) && sameItems(value, copy) ? value : Object.freeze(copy);
  known.add(kept);
  return kept;
}

function sameItems(value: object, copy: object): boolean {
  return Object.entries(value).every(([key, item]) => Object.is(item, Reflect.get(copy, key)));
}
