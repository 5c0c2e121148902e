import { z } from 'zod';

/** What an operator has to know of a key; docs/configuration.md and the JSON Schema are made from it. */
export interface KeyDoc {
  /** What it does, in Markdown. */
  readonly about: string;
  /** What its number counts. */
  readonly unit?: string;
  /** What holds without it, where that is no value. */
  readonly byDefault?: string;
}

/** The docs of all keys, by their schema. */
export const keyDocs = z.registry<KeyDoc>();

/** The schema, with what an operator has to know of it. */
export function key<Schema extends z.ZodType>(schema: Schema, doc: KeyDoc): Schema {
  keyDocs.add(schema, doc);
  return schema;
}
