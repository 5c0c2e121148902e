import type { JsonObject, ModelMessage, ToolDefinition } from '@harperfast/agent-core/contracts';
import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { ScriptedModel } from './scripted-model.js';
import type { ScriptedRequest } from './step.js';

/** The slice of Harper's `ModelBackend` that a scripted model serves. */
export interface HarperBackend {
  readonly name: string;
  capabilities(): { embed: false; generate: true; stream: false; tools: true; adapters: false };
  /** Answers in the host's form: what the script says is in `output`, its usage beside it. */
  generate(
    input: unknown,
    options?: unknown,
  ): Promise<{ status: 'completed'; output: unknown; usage?: unknown }>;
}

// z.record would drop a key named __proto__, and a test may be about just that.
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const toolCall = z.object({ id: z.string(), name: z.string(), arguments: jsonObject });
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({ role: z.literal('assistant'), content: z.string(), toolCalls: z.array(toolCall).optional() }),
  z.object({ role: z.literal('tool'), content: z.string(), toolCallId: z.string() }),
]);
const tool = z.object({ name: z.string(), description: z.string(), parameters: jsonObject });
const conversation = z.object({
  messages: z.array(message),
  tools: z.array(tool).default([]),
  system: z.string().default(''),
});
const generateInput = z.union([
  z.string().transform((content) => conversation.parse({ messages: [{ role: 'user', content }] })),
  z.array(message).transform((messages) => conversation.parse({ messages })),
  conversation,
]);
const generateOptions = z.object({
  maxTokens: z.number().optional(),
  conversationId: z.string().optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

/**
 * The scripted model as a backend for Harper's `models.registerBackend('generative', logicalName, …)`. Harper strips
 * the logical name before it calls a backend; pass the one it is registered under to find it in `request.model`.
 * Rejects with `InvalidRequestError` what no provider could read.
 */
export function harperBackend(model: ScriptedModel, logicalName?: string): HarperBackend {
  return {
    name: 'scripted',
    capabilities: () => ({ embed: false, generate: true, stream: false, tools: true, adapters: false }),
    async generate(input, options = {}) {
      const { signal = new AbortController().signal, ...limits } = parse(generateOptions, options, 'options');
      const request = toRequest(parse(generateInput, input, 'input'), limits, logicalName);
      const answer: unknown = await model.generate(request, signal);
      if (typeof answer !== 'object' || answer === null) return { status: 'completed', output: answer };
      const { usage, ...output }: { usage?: unknown; toolCalls?: unknown } = answer;
      if (Array.isArray(output.toolCalls)) {
        // Providers give every call an id, and Harper's own types ask for one.
        output.toolCalls = output.toolCalls.map((call, index) => ({
          id: `${model.requestCount}.${index}`,
          ...call,
        }));
      }
      return { status: 'completed', output, ...(usage === undefined ? {} : { usage }) };
    },
  };
}

function toRequest(
  input: z.output<typeof conversation>,
  limits: { readonly maxTokens?: number | undefined; readonly conversationId?: string | undefined },
  model: string | undefined,
): ScriptedRequest {
  const system = [
    input.system,
    ...input.messages.filter((item) => item.role === 'system').map((item) => item.content),
  ];
  return {
    ...(model === undefined ? {} : { model }),
    system: system.filter((text) => text !== '').join('\n\n'),
    messages: input.messages.flatMap((item): ModelMessage[] => {
      if (item.role === 'system') return [];
      if (item.role !== 'assistant') return [item];
      const { toolCalls, ...rest } = item;
      return [toolCalls === undefined ? rest : { ...rest, toolCalls }];
    }),
    tools: input.tools satisfies ToolDefinition[],
    ...(limits.maxTokens === undefined ? {} : { maxTokens: limits.maxTokens }),
    ...(limits.conversationId === undefined ? {} : { conversationId: limits.conversationId }),
  };
}

function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(
    `The ${what} of models.generate cannot be read: ${z.prettifyError(parsed.error)}`,
  );
}
