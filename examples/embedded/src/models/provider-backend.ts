import type { FinishReason, LanguageModel, LanguageModelUsage, ModelMessage, ToolSet } from 'ai';
import { generateText, jsonSchema, tool } from 'ai';
import { z } from 'zod';

const jsonObject = z.record(z.string(), z.unknown());
const toolCall = z.object({ id: z.string(), name: z.string(), arguments: jsonObject });
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({ role: z.literal('assistant'), content: z.string(), toolCalls: z.array(toolCall).optional() }),
  z.object({ role: z.literal('tool'), content: z.string(), toolCallId: z.string() }),
]);
const inputSchema = z.object({
  system: z.string().optional(),
  messages: z.array(message),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: jsonObject })).default([]),
});
const optionsSchema = z.object({
  maxTokens: z.int().optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

type HostMessage = z.infer<typeof message>;

/**
 * A model of the AI SDK as a backend of the host's `models`. One call is one request: the loop over tool calls is the
 * host's. Tokens read from the provider's cache are reported apart; a finish reason the host does not know is `stop`.
 */
export function providerBackend(model: LanguageModel) {
  return {
    name: 'ai-sdk',
    capabilities: () => ({ embed: false, generate: true, stream: false, tools: true, adapters: false }),
    async generate(input: unknown, options: unknown = {}) {
      const { system, messages, tools } = inputSchema.parse(input);
      const { maxTokens, signal } = optionsSchema.parse(options);
      const result = await generateText({
        model,
        messages: toModelMessages(messages),
        tools: toToolSet(tools),
        ...(system === undefined || system === '' ? {} : { system }),
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        ...(signal === undefined ? {} : { abortSignal: signal }),
      });
      const toolCalls = result.toolCalls.map(({ toolCallId, toolName, input: given }) => ({
        id: toolCallId,
        name: toolName,
        arguments: given,
      }));
      return {
        status: 'completed' as const,
        output: { content: result.text, toolCalls, finishReason: toFinishReason(result.finishReason) },
        usage: toUsage(result.usage),
      };
    },
  };
}

function toModelMessages(messages: readonly HostMessage[]): ModelMessage[] {
  const names = new Map<string, string>();
  return messages.map((item): ModelMessage => {
    if (item.role === 'user') return { role: 'user', content: item.content };
    if (item.role === 'tool') {
      const { toolCallId, content } = item;
      const output = { type: 'text' as const, value: content };
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName: names.get(toolCallId) ?? 'unknown', output }],
      };
    }
    const calls = item.toolCalls ?? [];
    for (const { id, name } of calls) names.set(id, name);
    return {
      role: 'assistant',
      content: [
        // Providers refuse a text part without text.
        ...(item.content === '' ? [] : [{ type: 'text' as const, text: item.content }]),
        ...calls.map(({ id, name, arguments: given }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: name,
          input: given,
        })),
      ],
    };
  });
}

function toToolSet(tools: z.infer<typeof inputSchema>['tools']): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
}

function toFinishReason(reason: FinishReason): 'stop' | 'length' | 'tool_calls' | 'content_filter' {
  switch (reason) {
    case 'length':
      return 'length';
    case 'tool-calls':
      return 'tool_calls';
    case 'content-filter':
      return 'content_filter';
    default:
      return 'stop';
  }
}

function toUsage({ inputTokens, outputTokens, inputTokenDetails }: LanguageModelUsage) {
  return {
    ...(inputTokens === undefined ? {} : { promptTokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { completionTokens: outputTokens }),
    ...(inputTokenDetails.cacheReadTokens === undefined
      ? {}
      : { cachedPromptTokens: inputTokenDetails.cacheReadTokens }),
  };
}
