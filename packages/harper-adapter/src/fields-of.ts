/**
 * Copies the named fields of a value; those that are missing are left out. Harper's records may answer through
 * inherited getters, which a spread does not see.
 */
export function fieldsOf(value: unknown, names: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (typeof value !== 'object' || value === null) return fields;
  for (const name of names) {
    const field: unknown = Reflect.get(value, name);
    if (field !== undefined) fields[name] = field;
  }
  return fields;
}
