import type { ModelMessage, TokenCounter, ToolDefinition } from '../contracts/index.js';

/** What a message costs besides its text: role, separators, call ids. */
const TOKENS_PER_MESSAGE = 8;

/** Three bytes a token: high for prose, about right for code and JSON. Hosts pass in something better. */
export const roughTokenCounter: TokenCounter = { count: (text) => Math.ceil(Buffer.byteLength(text) / 3) };

export function countMessage(counter: TokenCounter, message: ModelMessage): number {
  return TOKENS_PER_MESSAGE + counter.count(textOf(message));
}

/** Counts the parts of a request that rarely change: the system prompt and the tools. */
export interface FixedPartCounter {
  count(system: string, tools: readonly ToolDefinition[]): number;
}

/** Counts a system prompt and a list of tools once, as long as they stay the same. */
export function createFixedPartCounter(counter: TokenCounter): FixedPartCounter {
  let lastSystem: { readonly text: string; readonly tokens: number } | undefined;
  let lastTools: { readonly tools: readonly ToolDefinition[]; readonly tokens: number } | undefined;
  return {
    count(system, tools) {
      if (lastSystem?.text !== system) lastSystem = { text: system, tokens: counter.count(system) };
      if (lastTools?.tools !== tools) lastTools = { tools, tokens: counter.count(JSON.stringify(tools)) };
      return lastSystem.tokens + lastTools.tokens;
    },
  };
}

function textOf(message: ModelMessage): string {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message.content;
  return `${message.content}${JSON.stringify(message.toolCalls)}`;
}
