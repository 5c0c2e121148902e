import type { ModelMessage, ModelRequest, TokenCounter, ToolDefinition } from '../contracts/index.js';
import type { AppendList } from '../session/append-list.js';

/** Estimates run low on some texts; a reservation has to be high enough for all of them. */
const SAFETY_FACTOR = 1.3;
/** What a message costs besides its text: role, separators, call ids. */
const TOKENS_PER_MESSAGE = 8;

/** Estimates the input tokens of requests; counts each message once, however long the session. */
export interface ContextMeter {
  estimate(request: Pick<ModelRequest, 'system' | 'tools'>, messages: AppendList<ModelMessage>): number;
}

export function createContextMeter(counter: TokenCounter): ContextMeter {
  let counted = 0;
  let first: ModelMessage | undefined;
  let messageTokens = 0;
  const fixed = new Map<string, number>();

  function countFixed(text: string): number {
    const known = fixed.get(text);
    if (known !== undefined) return known;
    // The system prompt and the tools change rarely; two texts are all that is ever current.
    if (fixed.size > 8) fixed.clear();
    const tokens = counter.count(text);
    fixed.set(text, tokens);
    return tokens;
  }

  return {
    estimate({ system, tools }, messages) {
      if (messages.length < counted || messages.at(0) !== first) {
        counted = 0;
        messageTokens = 0;
        first = messages.at(0);
      }
      for (; counted < messages.length; counted++) {
        messageTokens += TOKENS_PER_MESSAGE + counter.count(textOf(messages.at(counted)));
      }
      const total = countFixed(system) + countFixed(toolsText(tools)) + messageTokens;
      return Math.ceil(total * SAFETY_FACTOR);
    },
  };
}

/** Three characters a token: high for prose, about right for code and JSON. Hosts pass in something better. */
export const roughTokenCounter: TokenCounter = { count: (text) => Math.ceil(Buffer.byteLength(text) / 3) };

const textsOfTools = new WeakMap<readonly ToolDefinition[], string>();

function toolsText(tools: readonly ToolDefinition[]): string {
  const known = textsOfTools.get(tools);
  if (known !== undefined) return known;
  const text = JSON.stringify(tools);
  textsOfTools.set(tools, text);
  return text;
}

function textOf(message: ModelMessage | undefined): string {
  if (message === undefined) return '';
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message.content;
  return `${message.content}${JSON.stringify(message.toolCalls)}`;
}
