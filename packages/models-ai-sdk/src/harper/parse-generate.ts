import type { JsonObject } from '@harperfast/agent-core/contracts';
import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { ModelCall } from '../call/call-model.js';

// By reference: a record would be copied at every call, and a key named __proto__ lost.
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);
const toolCall = z.object({ id: z.string(), name: z.string(), arguments: jsonObject });
const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'user']), content: z.string() }),
  z.object({ role: z.literal('assistant'), content: z.string(), toolCalls: z.array(toolCall).default([]) }),
  z.object({ role: z.literal('tool'), content: z.string(), toolCallId: z.string() }),
]);
const conversation = z.object({
  system: z.string().optional(),
  messages: z.array(message),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: jsonObject })).default([]),
});
const generateOptions = z.object({
  maxTokens: z.int().positive().optional(),
  temperature: z.number().optional(),
  responseFormat: z.union([z.enum(['text', 'json']), z.object({ schema: jsonObject })]).optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

/**
 * The call that Harper's `generate(input, options)` asks for: a text, a list of messages, or an object with messages,
 * tools and a system prompt. Throws `InvalidRequestError` for anything else; options it does not know are Harper's own.
 */
export function parseGenerate(input: unknown, options: unknown): ModelCall {
  return {
    ...parse(conversation, asConversation(input), 'input'),
    ...parse(generateOptions, options, 'options'),
  };
}

function asConversation(input: unknown): unknown {
  if (typeof input === 'string') return { messages: [{ role: 'user', content: input }] };
  return Array.isArray(input) ? { messages: input } : input;
}

function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(`The ${what} of generate cannot be read: ${z.prettifyError(parsed.error)}`);
}
