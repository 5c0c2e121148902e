import { z } from 'zod';
import { fieldsOf } from '../fields-of.js';

/** How the host's configuration says which model stands behind a logical name. */
export interface ModelEntry {
  readonly backend?: string | undefined;
  /** The provider's own name of the model. */
  readonly model?: string | undefined;
  /** Where the backend sends its requests, if not to the provider itself. */
  readonly baseUrl?: string | undefined;
  /** Logical names that are tried when this one fails. */
  readonly fallback?: readonly string[] | undefined;
}

const entrySchema = z.object({
  backend: z.string().optional(),
  model: z.string().optional(),
  baseUrl: z.string().optional(),
  fallback: z.array(z.string()).optional(),
});

/** The entry `models.generative.<name>`; `undefined` when there is none, or when it cannot be understood. */
export function readModelEntry(hostConfig: unknown, name: string): ModelEntry | undefined {
  const { models } = fieldsOf(hostConfig, ['models']);
  const { generative } = fieldsOf(models, ['generative']);
  if (typeof generative !== 'object' || generative === null || !Object.hasOwn(generative, name))
    return undefined;
  return entrySchema.safeParse(Reflect.get(generative, name)).data;
}
