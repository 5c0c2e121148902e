import { z } from 'zod';
import { HostError } from '../host-error.js';

const attributeSchema = z.looseObject({
  name: z.string().min(1),
  type: z.string().optional(),
  isPrimaryKey: z.boolean().optional(),
  indexed: z.unknown().optional(),
  nullable: z.boolean().optional(),
});

// Loose: components pass Harper's many other options (expiration, trackDeletes, splitSegments …), which do nothing here.
const definitionSchema = z.looseObject({
  table: z.string().regex(/^[\w -]{1,250}$/),
  database: z
    .string()
    .regex(/^[\w -]{1,250}$/)
    .optional(),
  attributes: z.array(attributeSchema).default([]),
  audit: z.boolean().optional(),
  replicate: z.boolean().optional(),
});

export type Attribute = z.infer<typeof attributeSchema>;

/** What the host keeps of a table's definition. */
export interface TableDefinition {
  readonly database: string;
  readonly table: string;
  readonly primaryKey: string;
  readonly attributes: readonly Attribute[];
  readonly audit: boolean;
  readonly replicate: boolean;
}

/** Reads what a component hands to `ensureTable`. Throws 400 naming what is wrong. */
export function parseTableDefinition(input: unknown, defaultDatabase = 'data'): TableDefinition {
  const parsed = definitionSchema.safeParse(input);
  if (!parsed.success) throw new HostError(400, `Not a table definition: ${z.prettifyError(parsed.error)}`);
  const { table, database, attributes, audit, replicate } = parsed.data;
  const primaryKey = attributes.find((attribute) => attribute.isPrimaryKey === true)?.name ?? 'id';
  const known = attributes.some((attribute) => attribute.name === primaryKey);
  return {
    database: database ?? defaultDatabase,
    table,
    primaryKey,
    attributes: known ? attributes : [{ name: primaryKey, isPrimaryKey: true }, ...attributes],
    audit: audit ?? true,
    replicate: replicate ?? true,
  };
}
