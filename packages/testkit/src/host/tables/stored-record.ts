import { HostError } from '../host-error.js';

/** A record as the store keeps it: frozen, plain data. */
export type StoredRecord = Readonly<Record<string, unknown>>;

const DEEPEST = 500;

/**
 * A frozen copy of what a caller hands in, so that a later change of theirs reaches neither the store nor its
 * readers. Throws 400 for what the store cannot keep (functions, symbols, cycles, integers past 64 bit); keys
 * whose value is `undefined` are dropped, and an own key `__proto__` is kept as `__proto_`, as the store does.
 */
export function copyRecord(record: unknown): StoredRecord {
  if (!isPlainObject(record)) throw new HostError(400, 'A record must be an object');
  return copyObject(record, 0);
}

/** True for an object that is no list, no Date and no binary. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isOpaque(value);
}

function copyObject(source: object, depth: number): StoredRecord {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (value !== undefined) copy[key === '__proto__' ? '__proto_' : key] = copyValue(value, depth + 1);
  }
  return Object.freeze(copy);
}

function copyValue(value: unknown, depth: number): unknown {
  if (depth > DEEPEST)
    throw new HostError(400, `A record is nested deeper than ${DEEPEST} levels, or contains itself`);
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new HostError(400, `A record cannot hold a ${typeof value}`);
  }
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) {
    throw new HostError(400, `A record cannot hold ${value}: more than 64 bit`);
  }
  if (typeof value !== 'object' || value === null || isOpaque(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => copyValue(item, depth + 1)));
  return copyObject(value, depth);
}

function isOpaque(value: object): boolean {
  return value instanceof Date || ArrayBuffer.isView(value);
}
