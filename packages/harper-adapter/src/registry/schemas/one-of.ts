import type { SchemaNode } from './schema-node.js';

const MOST_ALTERNATIVES = 16;

/** Alternatives as one schema: each once, and anything where one of them allows anything or they are too many. */
export function oneOf(nodes: readonly SchemaNode[]): SchemaNode {
  const different = [...new Map(nodes.map((node) => [JSON.stringify(node), node])).values()];
  const [only] = different;
  if (only === undefined || different.length > MOST_ALTERNATIVES || different.some(allowsAnything)) return {};
  return different.length === 1 ? only : { anyOf: different };
}

function allowsAnything({ type, enum: values, anyOf }: SchemaNode): boolean {
  return type === undefined && values === undefined && anyOf === undefined;
}
