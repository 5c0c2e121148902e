import { z } from 'zod';
import { cleanSchema } from './clean-schema.js';
import { objectNode } from './object-node.js';
import type { ForeignSchema } from './schema-node.js';
import { isForeignSchema } from './schema-node.js';
import type { SchemaLimits } from './walk.js';
import { enter, excludesObjects, startWalk } from './walk.js';

/** The input of a foreign tool, or why it can have none. */
export type ForeignInput =
  | { readonly ok: true; readonly input: z.ZodType<Readonly<Record<string, unknown>>> }
  | { readonly ok: false; readonly problem: string };

/** Characters of JSON a schema may have: every request to the model carries it. */
const MOST_CHARACTERS = 12_000;
/** Tried one after the other until the schema is small enough. */
const LIMITS: readonly SchemaLimits[] = [
  { depth: 8, nodes: 400, descriptionCharacters: 300 },
  { depth: 3, nodes: 200, descriptionCharacters: 80 },
  { depth: 1, nodes: 100, descriptionCharacters: 0 },
];
const ANY_OBJECT = JSON.stringify({ type: 'object', properties: {}, additionalProperties: true });

/**
 * Turns the JSON Schema of somebody else's tool into an input that no provider of models refuses: an object with
 * properties, no alternatives at its root, bounded in depth and size, without transforms. No schema at all allows any
 * object. A tool whose input is no object cannot be called, and has none.
 */
export function foreignInput(schema: unknown): ForeignInput {
  if (schema === false) return { ok: false, problem: 'nothing fits its input schema' };
  const root = isForeignSchema(schema) ? schema : {};
  const shown = showRoot(root);
  if (shown === undefined) {
    return { ok: false, problem: `its input is no object, but ${JSON.stringify(root).slice(0, 100)}` };
  }
  // zod reads the cleaned tree only: of the full language it refuses a part, and makes transforms of another.
  const input = z.fromJSONSchema(JSON.parse(shown));
  return input instanceof z.ZodObject
    ? { ok: true, input }
    : { ok: false, problem: 'its input is no object' };
}

/** The root as one object, in JSON; `undefined` where it is none. */
function showRoot(root: ForeignSchema): string | undefined {
  for (const limits of LIMITS) {
    const walk = startWalk(root, limits);
    if (excludesObjects(root, walk)) return undefined;
    const found = enter(root, walk);
    if (found === undefined) break;
    const json = JSON.stringify(objectNode(found.schema, found.walk, cleanSchema));
    if (json.length <= MOST_CHARACTERS) return json;
  }
  return ANY_OBJECT;
}
