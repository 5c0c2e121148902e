import type { HarperModels } from '../host.js';

/** `models` with a `generate` of our own: what the host's loop calls for each round when it is the loop's `this`. */
export function relay(models: HarperModels, generate: () => Promise<unknown>): HarperModels {
  return Object.create(models, { generate: { value: generate } });
}
