import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const blockSchema = z.looseObject({ generative: z.record(z.string(), z.unknown()).default({}) });
const entrySchema = z.looseObject({ backend: z.string().min(1) });
const register = z.custom<(entry: object) => unknown>((value) => typeof value === 'function');
const moduleSchema = z.union([
  z.looseObject({ default: register }).transform((loaded) => loaded.default),
  z.looseObject({ register }).transform((loaded) => loaded.register),
]);

/** The names Harper 5 knows by itself; here the AI SDK serves them. */
const PROVIDERS: readonly string[] = ['anthropic', 'openai', 'ollama'];
const PROVIDER_MODULE = '@harperfast/agent-models-ai-sdk';

/**
 * Loads the module of every entry under `models.generative` of the configuration and lets it register its backend, as
 * Harper 5 does. An entry that cannot be used is left out; `complain` hears why.
 */
export async function registerModels(block: unknown, complain: (message: string) => void): Promise<void> {
  const { generative } = blockSchema.parse(block ?? {});
  for (const [logicalName, entry] of Object.entries(generative)) {
    try {
      const config = entrySchema.parse(entry);
      const add = moduleSchema.parse({ ...(await import(moduleOf(config.backend))) });
      await add({ logicalName, kind: 'generative', config });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      complain(`The model models.generative.${logicalName} is not available: ${reason}`);
    }
  }
}

function moduleOf(backend: string): string {
  if (PROVIDERS.includes(backend)) return PROVIDER_MODULE;
  return isAbsolute(backend) ? pathToFileURL(backend).href : backend;
}
