import type { LanguageModelV3 } from '@ai-sdk/provider';
import { stepwise } from '@harperfast/agent-core';
import type { ModelGateway } from '@harperfast/agent-core/contracts';
import { NotFoundError } from '@harperfast/agent-core/contracts';
import type { ModelCallOptions } from '../call/call-model.js';
import { callModel, requireV3 } from '../call/call-model.js';

/**
 * A gateway to language models of the AI SDK (provider specification v3), by logical name; a request that names none
 * means `default`. Runs reject with `NotFoundError` for another name, with `ModelCallError` when a call fails.
 */
export function createAiSdkGateway(
  models: Readonly<Record<string, LanguageModelV3>>,
  options: ModelCallOptions = {},
): ModelGateway {
  const byName = new Map(Object.entries(models));
  for (const model of byName.values()) requireV3(model);
  return stepwise((request, signal) => {
    const name = request.model ?? 'default';
    const model = byName.get(name);
    if (model === undefined) {
      throw new NotFoundError(`There is no model '${name}' (there are: ${[...byName.keys()].join(', ')})`);
    }
    const { system, messages, tools, maxTokens } = request;
    return callModel(model, { system, messages, tools, maxTokens, signal }, options);
  }, 'ai-sdk');
}
