import type { JSONSchema7, LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { AgentError } from '@harperfast/agent-core/contracts';
import type { FinishReason, ToolDefinition, Usage } from '@harperfast/agent-core/contracts';
import { callTimedOut, toModelCallError } from './to-model-call-error.js';
import { toAnswer } from './to-answer.js';
import type { PromptMessage } from './to-prompt.js';
import { toPrompt } from './to-prompt.js';

/** One request to a model. */
export interface ModelCall {
  readonly system?: string | undefined;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly responseFormat?: 'text' | 'json' | { readonly schema: object } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came back. A finish reason the agent has no word for is `tool_calls` or `stop`, by what was answered. */
export interface ModelAnswer {
  readonly content: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
  readonly finishReason: FinishReason;
  /** What the provider reported of it; absent where it reported nothing. */
  readonly usage?: Partial<Usage>;
  /** The provider's own name of the model that answered. */
  readonly model?: string;
}

/** Options of every way to call a model. */
export interface ModelCallOptions {
  /** After so many milliseconds a call is given up. Default: five minutes. */
  readonly requestTimeoutMs?: number | undefined;
}

const REQUEST_TIMEOUT_MS = 300_000;

/**
 * Asks the model once; nothing is retried here. Rejects with the signal's reason after an abort, with `ModelCallError`
 * for what the provider or the way to it did, and with anything else as it was thrown.
 */
export async function callModel(
  model: LanguageModelV3,
  call: ModelCall,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS }: ModelCallOptions = {},
): Promise<ModelAnswer> {
  const { signal } = call;
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(requestTimeoutMs);
  const abortSignal = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  try {
    return toAnswer(await model.doGenerate({ ...toCallOptions(call), abortSignal }));
  } catch (error) {
    signal?.throwIfAborted();
    throw deadline.aborted ? callTimedOut(model, requestTimeoutMs) : toModelCallError(model, error);
  }
}

/** Throws where the model is of another specification than v3: its answers would be misread. */
export function requireV3(model: LanguageModelV3): void {
  const { specificationVersion, provider, modelId } = model;
  if (specificationVersion === 'v3') return;
  throw new AgentError(
    'model_specification',
    `The model ${modelId} of ${String(provider)} follows version ${String(specificationVersion)} of the AI SDK's provider specification; ` +
      'v3 is needed: install major version 3 of @ai-sdk/anthropic or @ai-sdk/openai, 2 of @ai-sdk/openai-compatible',
  );
}

function toCallOptions(call: ModelCall): LanguageModelV3CallOptions {
  const { tools, maxTokens, temperature, responseFormat } = call;
  return {
    prompt: toPrompt(call.system, call.messages),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(responseFormat === undefined ? {} : { responseFormat: toResponseFormat(responseFormat) }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: toSchema(parameters),
          })),
          toolChoice: { type: 'auto' as const },
        }),
  };
}

function toResponseFormat(format: 'text' | 'json' | { readonly schema: object }) {
  if (typeof format !== 'string') return { type: 'json' as const, schema: toSchema(format.schema) };
  return { type: format };
}

/** Every keyword of a schema is optional, so that any object is one; what it means is the provider's to say. */
function toSchema(schema: object): JSONSchema7 {
  return schema;
}
