/** A field of whatever HarperDB hands out; `undefined` where it is no object or has none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
