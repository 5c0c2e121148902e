import type { LanguageModelV3GenerateResult } from '@ai-sdk/provider';
import type { FinishReason, Usage } from '@harperfast/agent-core/contracts';
import type { ModelAnswer } from './call-model.js';

type Result = Pick<LanguageModelV3GenerateResult, 'content' | 'finishReason' | 'usage' | 'response'>;

/** Text, calls, finish reason and usage of a reply. Reasoning is left out: nothing sends it back. */
export function toAnswer({ content, finishReason, usage, response }: Result): ModelAnswer {
  const toolCalls = content.flatMap((part) =>
    part.type === 'tool-call' && part.providerExecuted !== true
      ? [{ id: part.toolCallId, name: part.toolName, arguments: parseArguments(part.input) }]
      : [],
  );
  const reported = toUsage(usage);
  return {
    content: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    toolCalls,
    finishReason: toFinishReason(finishReason.unified, toolCalls.length),
    ...(Object.keys(reported).length === 0 ? {} : { usage: reported }),
    ...(response?.modelId === undefined ? {} : { model: response.modelId }),
  };
}

/** Text that is no JSON stays text: the engine tells the model what was wrong with it. */
function parseArguments(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function toFinishReason(reason: Result['finishReason']['unified'], calls: number): FinishReason {
  switch (reason) {
    case 'content-filter':
      return 'content_filter';
    case 'length':
    // The provider broke off by its own fault: what there is is no whole reply, and none of its calls may run.
    case 'error':
      return 'length';
    default:
      return calls > 0 ? 'tool_calls' : 'stop';
  }
}

/** The provider's total includes what it read from its cache and what it wrote to it. */
function toUsage({ inputTokens, outputTokens }: Result['usage']): Partial<Usage> {
  return {
    ...(isCount(inputTokens.total) ? { promptTokens: inputTokens.total } : {}),
    ...(isCount(outputTokens.total) ? { completionTokens: outputTokens.total } : {}),
    ...(isCount(inputTokens.cacheRead) ? { cachedPromptTokens: inputTokens.cacheRead } : {}),
    ...(isCount(inputTokens.cacheWrite) ? { cacheWritePromptTokens: inputTokens.cacheWrite } : {}),
  };
}

function isCount(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens >= 0;
}
