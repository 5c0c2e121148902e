import type { ModelMessage, ReplyToolCall, ToolDefinition, Usage } from '@harperfast/agent-core/contracts';

/** What a scripted model was asked, alike behind a gateway and behind a Harper backend. */
export interface ScriptedRequest {
  readonly model?: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly maxTokens?: number;
  readonly conversationId?: string;
}

/** What the model does with one request: answer, fail, or stay silent until it is aborted (or for ever). */
export type Step =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly error: unknown }
  | { readonly kind: 'hang'; readonly ignoreAbort: boolean };

/**
 * Decides a step when the request is there; it may wait, and it may check the request: what it throws is thrown
 * again by `ScriptedModel.assertDone`, because an engine takes a failed model call for an ordinary event.
 */
export type StepFunction = (request: ScriptedRequest, signal: AbortSignal) => Step | Promise<Step>;

/** One place of a script. */
export type ScriptStep = Step | StepFunction;

/** The usage that `reply` and `calls` report. */
export const SCRIPTED_USAGE: Usage = { promptTokens: 100, completionTokens: 20 };

/** A final answer. */
export function reply(content: string, usage: Partial<Usage> = SCRIPTED_USAGE): Step {
  return answers({ content, finishReason: 'stop', usage });
}

/** Asks for tools, all in one round, in this order. */
export function calls(...toolCalls: readonly ReplyToolCall[]): Step {
  return answers({ content: '', toolCalls, finishReason: 'tool_calls', usage: SCRIPTED_USAGE });
}

/** Answers exactly this, however odd: no usage, a `null` content, a cut reply with calls, no object at all. */
export function answers(answer: unknown): Step {
  return { kind: 'answer', answer };
}

/** The call rejects with this very value. */
export function fails(error: unknown): Step {
  return { kind: 'failure', error };
}

/** The call stays open until it is aborted, then rejects with the signal's reason; with `ignoreAbort` it never settles. */
export function hangs(options: { readonly ignoreAbort?: boolean } = {}): Step {
  return { kind: 'hang', ignoreAbort: options.ignoreAbort ?? false };
}
