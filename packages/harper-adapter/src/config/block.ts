import { nearestNames } from '@harperfast/agent-core';
import { z } from 'zod';

/** Keys of which none may be misspelt: a cap that nobody reads would be none. `known` are those it may be meant for. */
export function block<Shape extends z.core.$ZodLooseShape>(shape: Shape, known = Object.keys(shape)) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownKeys(issue.keys, known)
        : `must be a block of the keys ${Object.keys(shape).join(', ')}`,
  });
}

function unknownKeys(keys: readonly string[], known: readonly string[]): string {
  const named = keys.map((key) => {
    const [nearest] = nearestNames(key, known, 1);
    return `'${key.slice(0, 64)}'${nearest === undefined ? '' : `, did you mean '${nearest}'?`}`;
  });
  return `has unknown ${keys.length === 1 ? 'key' : 'keys'} ${named.join(' ')}`;
}
