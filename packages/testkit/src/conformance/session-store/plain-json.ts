/**
 * JSON with sorted keys: two values are the same data exactly when these texts are. Unlike a matcher it sees an own
 * key named `__proto__`, and it does not tell a missing field from an undefined one.
 */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
