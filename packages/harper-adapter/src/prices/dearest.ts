import type { Price } from '@harperfast/agent-core/contracts';

/** The dearer one, figure by figure; not known when one of them is not. */
export function dearest(a: Price | undefined, b: Price | undefined): Price | undefined {
  if (a === undefined || b === undefined) return undefined;
  return {
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
    cachedInput: Math.max(a.cachedInput ?? a.input, b.cachedInput ?? b.input),
    cacheWriteInput: Math.max(a.cacheWriteInput ?? a.input, b.cacheWriteInput ?? b.input),
  };
}
