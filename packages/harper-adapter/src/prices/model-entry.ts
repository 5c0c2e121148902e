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
  return readModelEntries(hostConfig).get(name);
}

/** All entries of `models.generative` by their logical names; those that cannot be understood are left out. */
export function readModelEntries(hostConfig: unknown): ReadonlyMap<string, ModelEntry> {
  const { models } = fieldsOf(hostConfig, ['models']);
  const { generative } = fieldsOf(models, ['generative']);
  const entries = new Map<string, ModelEntry>();
  if (typeof generative !== 'object' || generative === null) return entries;
  for (const [name, value] of Object.entries(generative)) {
    const parsed = entrySchema.safeParse(value);
    if (parsed.success) entries.set(name, parsed.data);
  }
  return entries;
}
