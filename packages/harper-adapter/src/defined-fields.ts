/** An object's fields without those whose value may be `undefined`. */
export type DefinedFields<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** A copy that leaves out the fields whose value is `undefined`: where they are, and are empty, is not the same. */
export function definedFields<Fields extends object>(fields: Fields): DefinedFields<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as DefinedFields<Fields>;
}
