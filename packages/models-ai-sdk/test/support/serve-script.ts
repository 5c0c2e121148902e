import { LLMock } from '@copilotkit/aimock';
import type { ModelMessage } from '@harperfast/agent-core/contracts';
import type { ScriptedModel, ScriptedRequest } from '@harperfast/agent-testkit';
import { z } from 'zod';

const anObject = z.custom<Record<string, never>>((value) => typeof value === 'object' && value !== null);
const requestSchema = z.object({
  model: z.string(),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  messages: z.array(
    z.object({
      role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
      content: z.string().nullish(),
      tool_calls: z
        .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
        .optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
  tools: z
    .array(
      z.object({
        function: z.object({ name: z.string(), description: z.string().default(''), parameters: anObject }),
      }),
    )
    .default([]),
});
const answerSchema = z.object({
  content: z.string(),
  toolCalls: z
    .array(z.object({ id: z.string().optional(), name: z.string(), arguments: z.unknown() }))
    .default([]),
  finishReason: z.string().optional(),
  usage: z.object({ promptTokens: z.number(), completionTokens: z.number() }).optional(),
});

/** A provider's server whose model is the scripted one: it answers in the format it is asked in. */
export async function serveScript(model: ScriptedModel): Promise<LLMock> {
  const mock = new LLMock({ port: 0 });
  mock.on({ predicate: () => true }, async (request) => {
    const reply = await model.generate(asScripted(request), new AbortController().signal);
    const { content, toolCalls, finishReason, usage } = answerSchema.parse(reply);
    return {
      content,
      ...(finishReason === undefined ? {} : { finishReason }),
      toolCalls: toolCalls.map(({ id, name, arguments: given }) => ({
        name,
        arguments: JSON.stringify(given),
        ...(id === undefined ? {} : { id }),
      })),
      ...(usage === undefined
        ? {}
        : {
            usage: {
              prompt_tokens: usage.promptTokens,
              completion_tokens: usage.completionTokens,
              input_tokens: usage.promptTokens,
              output_tokens: usage.completionTokens,
            },
          }),
    };
  });
  await mock.start();
  return mock;
}

function asScripted(request: unknown): ScriptedRequest {
  const { model, messages, tools, ...limits } = requestSchema.parse(request);
  const maxTokens = limits.max_completion_tokens ?? limits.max_tokens;
  return {
    model,
    system: messages
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ content }) => content)
      .join('\n'),
    messages: messages.flatMap(
      ({ role, content, tool_calls: calls, tool_call_id: toolCallId = '' }): ModelMessage[] => {
        const text = content ?? '';
        if (role === 'user') return [{ role, content: text }];
        if (role === 'tool') return [{ role, toolCallId, content: text }];
        if (role !== 'assistant') return [];
        const toolCalls = (calls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          arguments: anObject.parse(JSON.parse(call.function.arguments)),
        }));
        return [{ role, content: text, ...(toolCalls.length === 0 ? {} : { toolCalls }) }];
      },
    ),
    tools: tools.map((tool) => tool.function),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}
