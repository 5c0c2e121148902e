import { oneOf } from './one-of.js';
import type { ForeignSchema, SchemaNode } from './schema-node.js';
import { isForeignSchema, partsOf } from './schema-node.js';
import type { CleanSchema, Walk } from './walk.js';
import { enter, speaksOfObjects } from './walk.js';

/** Providers of models take no other keys, and refuse the whole request for one. */
const USABLE_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;
/** What an object has beside these is not shown, but may be given. */
const MOST_PROPERTIES = 200;
const isUsable = (key: string): boolean => USABLE_KEY.test(key) && key !== '__proto__';

/**
 * A schema of objects as one list of properties. What `allOf` adds counts in full; of alternatives every property may
 * be given, and those are required that each of them requires.
 */
export function objectNode(schema: ForeignSchema, walk: Walk, clean: CleanSchema): SchemaNode {
  const properties = new Map<string, SchemaNode>();
  const required = new Set<string>();
  const add = (key: string, node: SchemaNode): void =>
    void (properties.has(key) || properties.set(key, node));

  const { own, more } = propertiesOf(schema);
  for (const [key, value] of own) if (value !== false && isUsable(key)) add(key, clean(value, walk));
  for (const key of requiredOf(schema)) required.add(key);

  for (const node of objectsOf(schema, 'allOf', walk, clean)) {
    for (const [key, value] of Object.entries(node.properties ?? {})) add(key, value);
    for (const key of node.required ?? []) required.add(key);
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const nodes = objectsOf(schema, keyword, walk, clean);
    for (const key of new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})))) {
      add(key, oneOf(nodes.flatMap((node) => node.properties?.[key] ?? [])));
    }
    for (const key of nodes[0]?.required ?? []) {
      if (nodes.every((node) => node.required?.includes(key))) required.add(key);
    }
  }
  for (const key of required) add(key, {});

  const unusable = own.map(([key]) => key).filter((key) => !isUsable(key));
  return {
    type: 'object',
    ...(unusable.length === 0
      ? {}
      : { description: `Takes ${JSON.stringify(unusable).slice(0, 300)}, too.` }),
    properties: Object.fromEntries(properties),
    ...(required.size === 0 ? {} : { required: [...required] }),
    additionalProperties: unusable.length > 0 || more || otherProperties(schema, walk, clean),
  };
}

interface Properties {
  readonly own: readonly (readonly [string, unknown])[];
  /** There are more than are shown. */
  readonly more: boolean;
}

// References lead to the same properties again and again, and listing them takes its time where they are many.
const listed = new WeakMap<ForeignSchema, Properties>();

function propertiesOf({ properties }: ForeignSchema): Properties {
  if (!isForeignSchema(properties)) return { own: [], more: false };
  const known = listed.get(properties);
  if (known !== undefined) return known;
  const all = Object.entries(properties);
  const found = { own: all.slice(0, MOST_PROPERTIES), more: all.length > MOST_PROPERTIES };
  listed.set(properties, found);
  return found;
}

function requiredOf({ required }: ForeignSchema): readonly string[] {
  if (!Array.isArray(required)) return [];
  return required
    .slice(0, MOST_PROPERTIES)
    .filter((key: unknown) => typeof key === 'string' && isUsable(key));
}

function objectsOf(
  schema: ForeignSchema,
  keyword: 'allOf' | 'anyOf' | 'oneOf',
  walk: Walk,
  clean: CleanSchema,
): readonly SchemaNode[] {
  return partsOf(schema, keyword)
    .filter((part) => speaksOfObjects(part, walk))
    .map((part) => {
      const found = enter(part, walk);
      return found === undefined ? {} : objectNode(found.schema, found.walk, clean);
    });
}

function otherProperties(schema: ForeignSchema, walk: Walk, clean: CleanSchema): boolean | SchemaNode {
  const { additionalProperties: others, patternProperties: patterns } = schema;
  if (isForeignSchema(patterns)) return true;
  if (!isForeignSchema(others)) return others !== false;
  const node = clean(others, walk);
  return Object.keys(node).length === 0 || node;
}
