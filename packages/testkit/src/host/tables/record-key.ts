import { HostError } from '../host-error.js';

/** A primary key as a table's user writes it. */
export type RecordId = string | number | readonly (string | number)[];
/** The same key in the store, behind its database and table. */
export type StoreKey = (string | number)[];

/** Sorts after every string and number, so `[database, table, LAST]` ends a table's range. */
export const LAST = new Uint8Array([0xff]);

/** False for the marks that only ends of ranges hold. */
export function isIdPart(part: string | number | Uint8Array): part is string | number {
  return typeof part === 'string' || typeof part === 'number';
}

const LONGEST_KEY = 1900;

/**
 * The store's key of one record. Rejects with 400 what the store cannot order: NaN, objects, an empty list, and
 * keys of more than about 1,900 bytes. `['a']` and `'a'` are the same key.
 */
export function recordKey(database: string, table: string, id: unknown): StoreKey {
  const key = [database, table, ...idParts(id)];
  const bytes = key.reduce<number>(
    (sum, part) => sum + 1 + (typeof part === 'string' ? Buffer.byteLength(part) : 9),
    0,
  );
  if (bytes > LONGEST_KEY)
    throw new HostError(400, `A primary key of ${bytes} bytes is too long: at most ${LONGEST_KEY}`);
  return key;
}

/** The parts of a primary key, checked. */
export function idParts(id: unknown): StoreKey {
  const parts: readonly unknown[] = Array.isArray(id) ? id : [id];
  if (parts.length === 0)
    throw new HostError(400, 'A primary key is a string, a number or a list of them, not []');
  return parts.map((part) => {
    if (typeof part === 'string' || (typeof part === 'number' && !Number.isNaN(part)))
      return part === 0 ? 0 : part;
    throw new HostError(400, `A primary key is a string, a number or a list of them, not ${describe(part)}`);
  });
}

function describe(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
