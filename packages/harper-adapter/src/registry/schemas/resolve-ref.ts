import type { ForeignSchema } from './schema-node.js';
import { isForeignSchema } from './schema-node.js';

/** A schema whose own `$ref`s have been followed, with the keywords that are read, and the ones it came by. */
export interface Resolved {
  readonly schema: ForeignSchema;
  readonly refs: readonly string[];
}

// A schema is resolved many times over, each time at the cost of these: however many keys it has and wherever it leads.
const READ = [
  'type',
  'nullable',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'items',
  'enum',
  'const',
  'allOf',
  'anyOf',
  'oneOf',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'description',
  'format',
  'default',
];
const MOST_REFS = 16;
const LONGEST_REF = 256;

/**
 * Follows the `$ref` of a schema within its document. What refers outside, to nothing, to itself, or on and on allows
 * anything: a tree that is shown in full cannot hold it.
 */
export function resolveRef(schema: ForeignSchema, root: ForeignSchema, refs: readonly string[]): Resolved {
  const siblings = readOf(schema);
  const { $ref: ref } = schema;
  if (typeof ref !== 'string') return { schema: siblings, refs };
  const target = refs.includes(ref) || refs.length === MOST_REFS ? undefined : find(ref, root);
  if (target === undefined) return { schema: siblings, refs };
  const { schema: rest, refs: followed } = resolveRef(target, root, [...refs, ref]);
  return { schema: { ...rest, ...siblings }, refs: followed };
}

function readOf(schema: ForeignSchema): ForeignSchema {
  return Object.fromEntries(
    READ.filter((key) => Object.hasOwn(schema, key)).map((key) => [key, schema[key]]),
  );
}

function find(ref: string, root: ForeignSchema): ForeignSchema | undefined {
  if (!ref.startsWith('#') || ref.length > LONGEST_REF) return undefined;
  let found: unknown = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return isForeignSchema(found) ? found : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
