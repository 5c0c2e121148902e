import type { ForeignSchema } from './schema-node.js';
import { isForeignSchema } from './schema-node.js';

/** A schema whose own `$ref`s have been followed, and the ones it came by. */
export interface Resolved {
  readonly schema: ForeignSchema;
  readonly refs: readonly string[];
}

/**
 * Follows the `$ref` of a schema within its document. What refers outside, to nothing, or to itself allows anything:
 * a tree that is shown in full cannot hold it.
 */
export function resolveRef(schema: ForeignSchema, root: ForeignSchema, refs: readonly string[]): Resolved {
  const { $ref: ref, ...siblings } = schema;
  if (typeof ref !== 'string') return { schema, refs };
  const target = refs.includes(ref) ? undefined : find(ref, root);
  if (target === undefined) return { schema: siblings, refs };
  return resolveRef({ ...target, ...siblings }, root, [...refs, ref]);
}

function find(ref: string, root: ForeignSchema): ForeignSchema | undefined {
  if (!ref.startsWith('#')) return undefined;
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
