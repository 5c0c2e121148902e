const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
type TypeName = (typeof TYPES)[number];

/** A JSON Schema as we show it: a tree of few keywords, which every provider of models takes. */
export interface SchemaNode {
  type?: TypeName;
  description?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: boolean | SchemaNode;
  items?: SchemaNode;
  enum?: (string | number | boolean | null)[];
  anyOf?: SchemaNode[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** A JSON Schema as somebody else wrote it. */
export type ForeignSchema = Readonly<Record<string, unknown>>;

export function isForeignSchema(value: unknown): value is ForeignSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The types a schema names, each once; none where it names none that there is. */
export function typesOf({ type, nullable }: ForeignSchema): readonly TypeName[] {
  const named: readonly unknown[] = Array.isArray(type) ? type : [type];
  return TYPES.filter(
    (known) => named.includes(known) || (known === 'null' && nullable === true && type !== undefined),
  );
}

const MOST_PARTS = 50;

/** The schemas in a list of alternatives or parts, the first 50; none where there is no list. */
export function partsOf(
  schema: ForeignSchema,
  keyword: 'allOf' | 'anyOf' | 'oneOf',
): readonly ForeignSchema[] {
  const parts = schema[keyword];
  return Array.isArray(parts) ? parts.slice(0, MOST_PARTS).filter(isForeignSchema) : [];
}
