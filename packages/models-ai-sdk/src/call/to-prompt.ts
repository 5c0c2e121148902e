import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { ModelMessage } from '@harperfast/agent-core/contracts';

/** What providers take as the name of a tool. */
const SENDABLE = /^[\w-]{1,64}$/;

/** A message as Harper or the agent sends it. */
export type PromptMessage = ModelMessage | { readonly role: 'system'; readonly content: string };

/**
 * The transcript in the form of the AI SDK. System messages come first, wherever they were: providers take none after
 * a user's. What providers would refuse for good is not sent: a message of the model without text and without calls is
 * left out, and a call by a name that no tool can have goes as `no_such_tool` (its result says what was called).
 */
export function toPrompt(
  system: string | undefined,
  messages: readonly PromptMessage[],
): LanguageModelV3Prompt {
  const instructions = [system ?? '', ...messages.filter(isSystem).map(({ content }) => content)];
  const toolNames = new Map<string, string>();
  return [
    ...instructions
      .filter((content) => content !== '')
      .map((content) => ({ role: 'system' as const, content })),
    ...messages.flatMap((message) => toMessage(message, toolNames)),
  ];
}

function isSystem({ role }: PromptMessage): boolean {
  return role === 'system';
}

/** `toolNames` learns the names of calls: their results have to repeat them. */
function toMessage(message: PromptMessage, toolNames: Map<string, string>): LanguageModelV3Message[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: message.content }] }];
    case 'tool': {
      const { toolCallId, content } = message;
      const toolName = toolNames.get(toolCallId) ?? 'unknown';
      const output = { type: 'text' as const, value: content };
      return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }];
    }
    case 'assistant': {
      const calls = message.toolCalls ?? [];
      for (const { id, name } of calls) toolNames.set(id, sendable(name));
      const content = [
        // Providers refuse a text part without text.
        ...(message.content === '' ? [] : [{ type: 'text' as const, text: message.content }]),
        ...calls.map((call) => ({
          type: 'tool-call' as const,
          toolCallId: call.id,
          toolName: sendable(call.name),
          input: call.arguments,
        })),
      ];
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    }
  }
}

function sendable(name: string): string {
  // The AI SDK looks names up in plain objects: one that every object has would reach the provider as no name at all.
  return SENDABLE.test(name) && !(name in {}) ? name : 'no_such_tool';
}
