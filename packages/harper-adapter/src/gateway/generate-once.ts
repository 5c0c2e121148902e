import type { ModelReply, ModelRequest, ReplyToolCall, Usage } from '@harperfast/agent-core/contracts';
import type { HarperModels } from '../host.js';
import { fieldsOf } from '../fields-of.js';

/** One model call of the host. Its errors come out as they are. */
export async function generateOnce(
  models: HarperModels,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { messages, tools, system } = request;
  const input = { messages, system, ...(tools.length === 0 ? {} : { tools }) };
  const answer = await models.generate(input, {
    ...(request.model === undefined ? {} : { model: request.model }),
    maxTokens: request.maxTokens,
    conversationId: request.conversationId,
    toolMode: 'return',
    // Always ours: without one the host takes the signal of the request that happens to be current.
    signal,
  });
  return toReply(answer);
}

/** Takes over what has the right type and leaves out the rest; the engine settles what a reply means. */
function toReply(answer: unknown): ModelReply {
  const { content, toolCalls, finishReason, usage, model } = fieldsOf(answer, [
    'content',
    'toolCalls',
    'finishReason',
    'usage',
    'model',
  ]);
  return {
    ...(typeof content === 'string' || content === null ? { content } : {}),
    ...(Array.isArray(toolCalls) ? { toolCalls: toolCalls.map(toToolCall) } : {}),
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
    ...(usage === undefined ? {} : { usage: toUsage(usage) }),
    ...(typeof model === 'string' ? { model } : {}),
  };
}

/** A call without a name keeps its place: it must get a result as well. */
function toToolCall(call: unknown): ReplyToolCall {
  const fields = fieldsOf(call, ['id', 'name', 'arguments']);
  return {
    ...(typeof fields['id'] === 'string' ? { id: fields['id'] } : {}),
    name: typeof fields['name'] === 'string' ? fields['name'] : '',
    arguments: fields['arguments'],
  };
}

const USAGE_KEYS = [
  'promptTokens',
  'completionTokens',
  'cachedPromptTokens',
  'cacheWritePromptTokens',
] as const satisfies readonly (keyof Usage)[];

function toUsage(usage: unknown): Partial<Usage> {
  const counts = fieldsOf(usage, USAGE_KEYS);
  return Object.fromEntries(
    USAGE_KEYS.flatMap((key) => (typeof counts[key] === 'number' ? [[key, counts[key]]] : [])),
  );
}
