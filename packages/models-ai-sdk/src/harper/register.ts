import { AgentError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { loadLanguageModel } from '../config/load-language-model.js';
import { parseModelEntry } from '../config/model-entry.js';
import { createHarperBackend } from './create-harper-backend.js';

interface Registry {
  registerBackend(kind: string, name: string, backend: unknown): void;
}

const configured = z.object({ logicalName: z.string(), kind: z.string(), config: z.unknown() });
const registry = z.custom<Registry>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'registerBackend') === 'function',
);

/**
 * What Harper calls for an entry of its configuration that names this package as its backend:
 * `models.generative.default: { backend: '@harperfast/agent-models-ai-sdk', provider: anthropic, … }`. Registers the
 * model with Harper's global `models`. Rejects with what is wrong with the entry; Harper logs it and goes on without.
 */
export async function register(entry: unknown): Promise<void> {
  const { logicalName, kind, config } = configured.parse(entry);
  const where = `models.${kind}.${logicalName}`;
  if (kind !== 'generative') {
    throw new AgentError('model_config', `${where} cannot be served: AI SDK models are generative here`);
  }
  const models = registry.safeParse(Reflect.get(globalThis, 'models'));
  if (!models.success) {
    throw new AgentError('model_config', `${where} cannot be served: Harper has no global 'models' here`);
  }
  const parsed = parseModelEntry(config, where, process.env);
  const { requestTimeoutMs } = parsed;
  const backend = createHarperBackend(await loadLanguageModel(parsed), { requestTimeoutMs });
  models.data.registerBackend(kind, logicalName, backend);
}
