const DATABASE_FIELDS = new Set(['database', 'databases', 'schema', 'schemas']);

/**
 * Whether a field of a body names the database `system`: as the database, as the first part of a table's name, or
 * anywhere in a text of SQL, where a value of that name is taken for it, too.
 */
export function namesSystem(key: string, value: unknown): boolean {
  if (key === 'sql')
    return typeof value === 'string' && /(?<![\p{L}\p{N}_])system(?![\p{L}\p{N}_])/iu.test(value);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (DATABASE_FIELDS.has(key))
    return values.some((item) => isText(item) && /^\s*system\s*(\.|$)/iu.test(item));
  return key === 'table' && values.some((item) => isText(item) && /^\s*system\s*\./iu.test(item));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
