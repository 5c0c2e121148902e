import type {
  FinishReason,
  JsonObject,
  ModelReply,
  ReplyToolCall,
  ToolCall,
  Usage,
} from '../contracts/index.js';

/** With the flag `u` a pair is one character and no surrogate: only lone ones match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Deeper arguments make no sense, and code that walks them recursively would run out of stack. */
const DEEPEST = 100;

/** A reply with one meaning: what was said, what is to be run, and why the model stopped. */
export interface NormalReply {
  readonly content: string;
  readonly calls: readonly ToolCall[];
  readonly droppedCalls: number;
  readonly finishReason: FinishReason;
}

/**
 * Settles what a reply means. `seq` is the round's place in the journal: call ids are made from it, so they are unique
 * whatever the model sends. A reply that was cut short runs nothing: its last call may be half a call.
 */
export function normalizeReply(reply: ModelReply, seq: number): NormalReply {
  const content = typeof reply.content === 'string' ? wellFormed(reply.content) : '';
  const requested = Array.isArray(reply.toolCalls) ? (reply.toolCalls as readonly ReplyToolCall[]) : [];
  const cut =
    reply.finishReason === 'length' || reply.finishReason === 'content_filter'
      ? reply.finishReason
      : undefined;
  if (cut !== undefined) return { content, calls: [], droppedCalls: requested.length, finishReason: cut };
  const calls = requested.map((call, index) => normalizeCall(call, `call_${seq}_${index}`));
  return { content, calls, droppedCalls: 0, finishReason: calls.length > 0 ? 'tool_calls' : 'stop' };
}

/** The reported usage when it makes sense, else our estimate, marked as such. */
export function settleUsage(
  reported: Partial<Usage> | undefined,
  estimate: Usage,
): { readonly usage: Usage; readonly estimated: boolean } {
  const promptTokens = reported?.promptTokens;
  const completionTokens = reported?.completionTokens;
  if (
    !isTokenCount(promptTokens) ||
    !isTokenCount(completionTokens) ||
    promptTokens + completionTokens === 0
  ) {
    return { usage: estimate, estimated: true };
  }
  const cached = reported?.cachedPromptTokens;
  return {
    usage: {
      promptTokens,
      completionTokens,
      ...(isTokenCount(cached) && cached <= promptTokens ? { cachedPromptTokens: cached } : {}),
    },
    estimated: false,
  };
}

function normalizeCall(call: ReplyToolCall, id: string): ToolCall {
  const name = wellFormed(typeof call?.name === 'string' ? call.name : String(call?.name ?? ''));
  const { value, problem } = readArguments(call?.arguments);
  return { id, name, arguments: value, ...(problem === undefined ? {} : { malformed: problem }) };
}

/** Arguments may come parsed or as JSON text; nothing is repaired, for half an argument is worse than none. */
function readArguments(raw: unknown): { readonly value: JsonObject; readonly problem?: string } {
  if (raw === undefined || raw === null || raw === '') return { value: {} };
  try {
    const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
    const value: unknown = JSON.parse(wellFormed(text));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { value: {}, problem: 'they are not a JSON object' };
    }
    // Stores and clones treat this key in their own ways, so that what is approved might not be what runs.
    if (depthOf(text) > DEEPEST) return { value: {}, problem: `they are nested more than ${DEEPEST} deep` };
    if (text.includes('"__proto__"')) return { value: {}, problem: 'they use the key "__proto__"' };
    return { value: value as JsonObject };
  } catch (error) {
    return {
      value: {},
      problem: `they are not valid JSON (${error instanceof Error ? error.message : 'unknown'})`,
    };
  }
}

/** How deep JSON text is nested; brackets within strings do not count. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return deepest;
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Lone surrogates cannot be stored as UTF-8; they become U+FFFD here, before anything is compared or hashed. */
export function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text;
}
