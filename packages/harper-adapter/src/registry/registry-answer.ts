import type { ToolOutput } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { jsonText } from './json-text.js';

const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  data: z.string().optional(),
  mimeType: z.string().optional(),
});
const answerSchema = z.looseObject({
  content: z.array(partSchema).optional(),
  isError: z.unknown().optional(),
  structuredContent: z.unknown().optional(),
});

/**
 * What a tool of an MCP registry or server answered, for the model: its texts, else its structured content as JSON;
 * images and the like are named, not carried. Throws where the answer says that it is an error.
 */
export function registryAnswer(answer: unknown): ToolOutput {
  const parsed = answerSchema.safeParse(answer);
  // Not what a handler should answer, but it may tell the model something.
  if (!parsed.success || (parsed.data.content ?? parsed.data.structuredContent) === undefined) {
    return { text: jsonText(answer), data: answer };
  }
  const { content = [], isError, structuredContent } = parsed.data;
  const texts = content.map(({ type, text, data, mimeType }) =>
    text === undefined
      ? `[${mimeType ?? type} of about ${Math.ceil(((data?.length ?? 0) * 3) / 4)} bytes, left out]`
      : text,
  );
  const left = content.some(({ text }) => text === undefined);
  const text = texts.length > 0 ? texts.join('\n') : jsonText(structuredContent);
  if (isError) throw new Error(text === '' ? 'it did not say why' : text);
  return {
    text,
    ...(structuredContent === undefined ? {} : { data: structuredContent }),
    ...(left ? { truncated: true } : {}),
  };
}
