import { compareKeys } from 'lmdb';
import { z } from 'zod';
import { HostError } from '../host-error.js';
import type { StoredRecord } from './stored-record.js';

const comparators = [
  'equals',
  'not_equal',
  'between',
  'greater_than',
  'greater_than_equal',
  'less_than',
  'less_than_equal',
  'starts_with',
  'ends_with',
  'contains',
] as const;

const conditionSchema = z.looseObject({
  attribute: z.string(),
  comparator: z.enum(comparators).default('equals'),
  value: z.unknown().optional(),
});

export interface SortOrder {
  readonly attribute: string;
  readonly descending?: boolean | undefined;
  readonly next?: SortOrder | undefined;
}

const sortSchema: z.ZodType<SortOrder> = z.object({
  attribute: z.string(),
  descending: z.boolean().optional(),
  get next() {
    return sortSchema.optional();
  },
});

const querySchema = z.looseObject({
  conditions: z.array(conditionSchema).default([]),
  operator: z.enum(['and', 'or']).default('and'),
  sort: sortSchema.optional(),
  limit: z.number().int().min(0).default(Number.POSITIVE_INFINITY).or(z.literal(Number.POSITIVE_INFINITY)),
  offset: z.number().int().min(0).default(0),
  select: z.union([z.array(z.string()), z.string()]).optional(),
});

export type Condition = z.infer<typeof conditionSchema>;
export type Query = z.infer<typeof querySchema>;

/** Reads a query as `search` takes it. Throws 400 naming what is wrong. */
export function parseQuery(input: unknown): Query {
  const parsed = querySchema.safeParse(input ?? {});
  if (!parsed.success) throw new HostError(400, `Not a query: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Orders any two attribute values: null, numbers, strings, lists, as the store orders keys; dates by time. */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right || 0;
  return compareKeys(asKey(left), asKey(right));
}

export function matches(record: StoredRecord, query: Pick<Query, 'conditions' | 'operator'>): boolean {
  if (query.conditions.length === 0) return true;
  const test = (condition: Condition) => matchesCondition(record[condition.attribute], condition);
  return query.operator === 'and' ? query.conditions.every(test) : query.conditions.some(test);
}

function matchesCondition(actual: unknown, { comparator, value }: Condition): boolean {
  if (comparator === 'equals') return same(actual, value);
  if (comparator === 'not_equal') return !same(actual, value);
  if (actual === undefined || actual === null) return false;
  const compared = () => compareValues(actual, value);
  switch (comparator) {
    case 'between': {
      const [from, to] = bounds(value);
      return compareValues(actual, from) >= 0 && compareValues(actual, to) <= 0;
    }
    case 'greater_than':
      return compared() > 0;
    case 'greater_than_equal':
      return compared() >= 0;
    case 'less_than':
      return compared() < 0;
    case 'less_than_equal':
      return compared() <= 0;
    case 'starts_with':
      return Array.isArray(actual) && Array.isArray(value)
        ? value.every((part, at) => actual[at] === part)
        : typeof actual === 'string' && actual.startsWith(String(value));
    case 'ends_with':
      return typeof actual === 'string' && actual.endsWith(String(value));
    case 'contains':
      return Array.isArray(actual)
        ? actual.includes(value)
        : typeof actual === 'string' && actual.includes(String(value));
  }
}

/** The two ends of a `between`. */
export function bounds(value: unknown): readonly [unknown, unknown] {
  if (Array.isArray(value) && value.length === 2) return [value[0], value[1]];
  throw new HostError(400, 'The value of "between" must be a list of two values');
}

function same(actual: unknown, value: unknown): boolean {
  return actual === value || (actual ?? null) === (value ?? null) || compareValues(actual, value) === 0;
}

function asKey(value: unknown): string | number | boolean | (string | number)[] | Uint8Array {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((part) => (typeof part === 'number' ? part : String(part)));
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value === undefined || value === null ? Number.NEGATIVE_INFINITY : JSON.stringify(value);
}
