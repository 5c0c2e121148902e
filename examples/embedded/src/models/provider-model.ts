import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { z } from 'zod';
import { providerBackend } from './provider-backend.js';

const entrySchema = z.object({
  logicalName: z.string(),
  kind: z.literal('generative'),
  config: z.object({ provider: z.enum(['anthropic', 'openai', 'ollama']), model: z.string().min(1) }),
});

interface Registry {
  registerBackend(kind: string, id: string, backend: unknown): void;
}

const globalsSchema = z.object({
  models: z.custom<Registry>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      typeof Reflect.get(value, 'registerBackend') === 'function',
    'there is no global models with registerBackend',
  ),
});

/**
 * What the host calls for the entry of its configuration that names this module: puts the provider's model behind the
 * logical name. The provider's package reads its key, and its base URL where one is set, from the environment.
 */
export function register(entry: unknown): void {
  const { logicalName, config } = entrySchema.parse(entry);
  const { models } = globalsSchema.parse(globalThis);
  models.registerBackend('generative', logicalName, providerBackend(languageModel(config)));
}

function languageModel({ provider, model }: z.infer<typeof entrySchema>['config']): LanguageModel {
  switch (provider) {
    case 'anthropic':
      return createAnthropic()(model);
    case 'openai':
      return createOpenAI().chat(model);
    case 'ollama':
      return createOpenAICompatible({ name: 'ollama', baseURL: `${ollamaUrl()}/v1` }).chatModel(model);
  }
}

/** OLLAMA_HOST as ollama itself reads it: scheme and port may be left out. */
function ollamaUrl(): string {
  const given = (process.env['OLLAMA_HOST'] ?? '').replace(/\/+$/, '');
  const withScheme = /^https?:\/\//.test(given) ? given : `http://${given}`;
  return /:\d+$/.test(withScheme) ? withScheme : `${withScheme}:11434`;
}
