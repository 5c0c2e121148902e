import { resolveRef } from './resolve-ref.js';
import type { ForeignSchema, SchemaNode } from './schema-node.js';
import { isForeignSchema, partsOf, typesOf } from './schema-node.js';

/** How much of a foreign schema is shown; what lies beyond allows anything. */
export interface SchemaLimits {
  readonly depth: number;
  readonly nodes: number;
  readonly descriptionCharacters: number;
}

/** Where the walk through one foreign schema is. */
export interface Walk {
  readonly root: ForeignSchema;
  readonly limits: SchemaLimits;
  readonly depth: number;
  /** The references that led here. */
  readonly refs: readonly string[];
  /** Steps taken so far, shared by the whole walk: references can make a small schema an endless one. */
  readonly spent: { nodes: number; looks: number };
}

export type CleanSchema = (given: unknown, walk: Walk) => SchemaNode;

const MOST_LOOKS = 1000;

export function startWalk(root: ForeignSchema, limits: SchemaLimits): Walk {
  return { root, limits, depth: 0, refs: [], spent: { nodes: 0, looks: 0 } };
}

/** One level down, at what a schema's reference leads to; `undefined` beyond the limits. */
export function enter(
  schema: ForeignSchema,
  walk: Walk,
): { readonly schema: ForeignSchema; readonly walk: Walk } | undefined {
  if (walk.depth > walk.limits.depth || ++walk.spent.nodes > walk.limits.nodes) return undefined;
  const { schema: resolved, refs } = resolveRef(schema, walk.root, walk.refs);
  return { schema: resolved, walk: { ...walk, depth: walk.depth + 1, refs } };
}

/** Whether a schema speaks of objects, at least in one of its parts. */
export function speaksOfObjects(given: ForeignSchema, walk: Walk): boolean {
  if (walk.depth > walk.limits.depth || ++walk.spent.looks > MOST_LOOKS) return false;
  const { schema, refs } = resolveRef(given, walk.root, walk.refs);
  const types = typesOf(schema);
  if (types.length > 0) return types.includes('object');
  if (isForeignSchema(schema['properties']) || Array.isArray(schema['required'])) return true;
  const inner = { ...walk, depth: walk.depth + 1, refs };
  return (['allOf', 'anyOf', 'oneOf'] as const).some((keyword) =>
    partsOf(schema, keyword).some((part) => speaksOfObjects(part, inner)),
  );
}

/** Whether no object can fit a schema, as far as its types tell. */
export function excludesObjects(given: ForeignSchema, walk: Walk): boolean {
  if (walk.depth > walk.limits.depth || ++walk.spent.looks > MOST_LOOKS) return false;
  const { schema, refs } = resolveRef(given, walk.root, walk.refs);
  const types = typesOf(schema);
  if (types.length > 0) return !types.includes('object');
  const inner = { ...walk, depth: walk.depth + 1, refs };
  const excluded = (part: ForeignSchema): boolean => excludesObjects(part, inner);
  const alternatives = [...partsOf(schema, 'anyOf'), ...partsOf(schema, 'oneOf')];
  return (alternatives.length > 0 && alternatives.every(excluded)) || partsOf(schema, 'allOf').some(excluded);
}
