import { cleanText } from './clean-text.js';
import { objectNode } from './object-node.js';
import { oneOf } from './one-of.js';
import type { ForeignSchema, SchemaNode } from './schema-node.js';
import { isForeignSchema, partsOf, typesOf } from './schema-node.js';
import type { Walk } from './walk.js';
import { enter, speaksOfObjects } from './walk.js';

const MOST_VALUES = 100;

/**
 * A foreign schema in the few keywords of `SchemaNode`. What these cannot say is loosened, never tightened: patterns,
 * formats, conditions and the like are left to whoever checks the arguments in the end. `{}` allows anything.
 */
export function cleanSchema(given: unknown, walk: Walk): SchemaNode {
  const found = isForeignSchema(given) ? enter(given, walk) : undefined;
  if (found === undefined) return {};
  return described(shapeOf(found.schema, found.walk), found.schema, walk.limits.descriptionCharacters);
}

function shapeOf(schema: ForeignSchema, walk: Walk): SchemaNode {
  const values = valuesOf(schema);
  if (values !== undefined) return { enum: values };
  const types = typesOf(schema);
  if (types.length > 1) {
    const plain = { ...schema, nullable: false, description: undefined, default: undefined };
    return oneOf(types.map((type) => cleanSchema({ ...plain, type }, walk)));
  }
  const alternatives = [...partsOf(schema, 'anyOf'), ...partsOf(schema, 'oneOf')];
  if (speaksOfObjects(schema, walk) && alternatives.every((part) => speaksOfObjects(part, walk))) {
    return objectNode(schema, walk, cleanSchema);
  }
  if (alternatives.length > 0) return oneOf(alternatives.map((part) => cleanSchema(part, walk)));
  const { allOf: _parts, ...own } = schema;
  const parts = partsOf(schema, 'allOf')
    .map((part) => enter(part, walk)?.schema)
    .filter((part) => part !== undefined);
  if (parts.length > 0) {
    const merged = [...parts, own].reduce<ForeignSchema>((all, part) => ({ ...all, ...part }), {});
    return cleanSchema(merged, walk);
  }
  return simpleShape(schema, walk);
}

function simpleShape(schema: ForeignSchema, walk: Walk): SchemaNode {
  const [type] = typesOf(schema);
  switch (type) {
    case 'array':
      return {
        type,
        items: cleanSchema(schema['items'], walk),
        ...numbers(schema, ['minItems', 'maxItems']),
      };
    case 'string':
      return { type, ...numbers(schema, ['minLength', 'maxLength']) };
    case 'number':
    case 'integer':
      return { type, ...numbers(schema, ['minimum', 'maximum']) };
    case 'boolean':
    case 'null':
      return { type };
    default:
      return {};
  }
}

/** The values a schema is limited to; `undefined` where there are none, too many, or such as are no plain values. */
function valuesOf({ enum: listed, const: only }: ForeignSchema): SchemaNode['enum'] {
  const values: readonly unknown[] = Array.isArray(listed) ? listed : only === undefined ? [] : [only];
  if (values.length === 0 || values.length > MOST_VALUES) return undefined;
  const plain = values.filter(isPlainValue);
  return plain.length === values.length ? [...new Set(plain)] : undefined;
}

function isPlainValue(value: unknown): value is string | number | boolean | null {
  if (typeof value === 'string') return value.length <= 200;
  return (
    value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function numbers<Name extends 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems'>(
  schema: ForeignSchema,
  names: readonly Name[],
): Partial<Record<Name, number>> {
  const found: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const value = schema[name];
    if (typeof value === 'number' && Number.isFinite(value)) found[name] = value;
  }
  return found;
}

/** With the description, and with what is not checked here but good to know: the format and the default. */
function described(node: SchemaNode, schema: ForeignSchema, most: number): SchemaNode {
  const { description, format, default: fallback } = schema;
  const own = [
    typeof description === 'string' ? description : '',
    typeof format === 'string' ? `(${format})` : '',
    isPlainValue(fallback) ? `Default: ${JSON.stringify(fallback)}` : '',
  ];
  const text = most === 0 ? '' : cleanText(own.join(' '), most);
  const texts = new Set([text, node.description ?? ''].filter((part) => part !== ''));
  return texts.size === 0 ? node : { ...node, description: [...texts].join(' ') };
}
