import { z } from 'zod';
import { valueTree } from '../render/value-tree.js';

/** Frames that are recorded of a stack. */
export const STACK_FRAMES = 12;

/**
 * Variables by name, described in the worker; the innermost of a name hides the others. `left` were not described. `paths`
 * are the values at the paths that were asked for, in that order; of a hit without a pause those of all expressions.
 */
export const scopeView = z.object({
  variables: z.array(z.tuple([z.string(), valueTree])),
  left: z.int(),
  paths: z.array(valueTree),
});
export type ScopeView = z.infer<typeof scopeView>;

const seen = z.object({ result: z.object({ value: z.union([z.string(), scopeView]) }) });

/** What the answer to a look says; `undefined` where there was nothing to see. */
export function readScopeView(answer: unknown): ScopeView | undefined {
  const value = seen.safeParse(answer).data?.result.value;
  if (typeof value !== 'string') return value;
  try {
    return scopeView.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}
