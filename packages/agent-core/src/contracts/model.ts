import type { JsonObject } from './json.js';

/** A call of a tool as the model asked for it. */
export interface ToolCall {
  /** Unique within the session; given by the engine, not by the model. */
  readonly id: string;
  readonly name: string;
  /** The parsed arguments; not yet validated. */
  readonly arguments: JsonObject;
  /** What was wrong with the arguments when they were no JSON object; such a call never runs. */
  readonly malformed?: string;
  /** Dotted paths of arguments that held a secret: here they hold a mark, the exact values stay in memory. */
  readonly masked?: readonly string[];
}

/** One message of the transcript a model is sent. Tool messages answer the call they name. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** A tool as a model sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; its root is an object. */
  readonly parameters: JsonObject;
}

/**
 * What is sent to the model now. `messages` is shared with the engine and only ever grows: read it, never change
 * it, and copy it to keep it.
 */
export interface ModelRequest {
  /** The host's logical model name; absent means the host's default. */
  readonly model?: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The most output tokens this call may produce; the budget has reserved them. */
  readonly maxTokens: number;
  /** Groups the host's analytics rows: the session's id. */
  readonly conversationId: string;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Tokens of one model call. `promptTokens` includes what was read from a cache or written to it. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the prompt's tokens, those the provider read from its cache. */
  readonly cachedPromptTokens?: number;
  /** Of the prompt's tokens, those it wrote to its cache. */
  readonly cacheWritePromptTokens?: number;
}

/** A tool call as it came from the model: nothing about it is trusted. */
export interface ReplyToolCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * What a model answered, as the host reports it. Every field may be missing or wrong; `Rounds.record` settles
 * what it means.
 */
export interface ModelReply {
  readonly content?: string | null;
  readonly toolCalls?: readonly ReplyToolCall[];
  readonly finishReason?: string;
  readonly usage?: Partial<Usage>;
  /** The provider's own model name, where the host tells. */
  readonly model?: string;
}
