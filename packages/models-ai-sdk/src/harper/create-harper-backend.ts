import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Usage } from '@harperfast/agent-core/contracts';
import type { ModelAnswer, ModelCallOptions } from '../call/call-model.js';
import { callModel, requireV3 } from '../call/call-model.js';
import { parseGenerate } from './parse-generate.js';

/** A model backend as Harper's `models.registerBackend('generative', name, backend)` takes it. */
export interface HarperModelBackend {
  readonly name: string;
  capabilities(): {
    readonly embed: false;
    readonly generate: true;
    readonly stream: false;
    readonly tools: true;
    readonly adapters: false;
  };
  /**
   * One call of the model, with Harper's `GenerateInput` and `GenerateOpts`. Arguments of a call that are no JSON stay
   * text. Rejects with `InvalidRequestError` for an input it cannot read, with `ModelCallError` when the call fails, and
   * with the signal's reason.
   */
  generate(
    input: unknown,
    options?: unknown,
  ): Promise<{
    readonly status: 'completed';
    readonly output: Omit<ModelAnswer, 'usage'>;
    readonly usage?: Partial<Usage>;
  }>;
}

/**
 * A language model of the AI SDK (provider specification v3) as a backend of Harper's `models`. Besides what Harper
 * asks for, usage tells the tokens that came from the provider's cache, and the output names the provider's model.
 */
export function createHarperBackend(
  model: LanguageModelV3,
  options: ModelCallOptions = {},
): HarperModelBackend {
  requireV3(model);
  return {
    name: model.provider,
    capabilities: () => ({ embed: false, generate: true, stream: false, tools: true, adapters: false }),
    async generate(input, given = {}) {
      const { usage, ...output } = await callModel(model, parseGenerate(input, given), options);
      return { status: 'completed', output, ...(usage === undefined ? {} : { usage }) };
    },
  };
}
