import type {
  FinishReason,
  JsonObject,
  ModelReply,
  ReplyToolCall,
  ToolCall,
  Usage,
} from '../contracts/index.js';

/** Deeper arguments make no sense, and code that walks them recursively would run out of stack. */
const DEEPEST = 100;

/** More in one reply is a model that runs wild: the work on a round grows with the square of its calls. */
export const MOST_CALLS = 128;

/** No tool has a longer name; what is longer is kept only as far as it helps to see what was meant. */
const LONGEST_NAME = 200;

/** A reply with one meaning: what was said, what is to be run, and why the model stopped. */
export interface NormalReply {
  readonly content: string;
  readonly calls: readonly ToolCall[];
  readonly droppedCalls: number;
  readonly finishReason: FinishReason;
}

/**
 * Settles what a reply means. `seq` is the round's place in the journal: call ids are made from it, so they are unique
 * whatever the model sends. A reply that was cut short runs nothing: its last call may be half a call. Nor does one
 * with more than `MOST_CALLS` calls.
 */
export function normalizeReply(reply: ModelReply, seq: number): NormalReply {
  const content = typeof reply.content === 'string' ? reply.content.toWellFormed() : '';
  const requested = Array.isArray(reply.toolCalls) ? (reply.toolCalls as readonly ReplyToolCall[]) : [];
  const cut =
    reply.finishReason === 'length' || reply.finishReason === 'content_filter'
      ? reply.finishReason
      : undefined;
  if (cut !== undefined) return { content, calls: [], droppedCalls: requested.length, finishReason: cut };
  if (requested.length > MOST_CALLS) {
    return { content, calls: [], droppedCalls: requested.length, finishReason: 'tool_calls' };
  }
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
  const cached = tokenCount(reported?.cachedPromptTokens);
  const written = tokenCount(reported?.cacheWritePromptTokens);
  const ofCache = (cached ?? 0) + (written ?? 0);
  return {
    usage: {
      // Some providers count only what did not pass their cache. More than the whole is the sign of it.
      promptTokens: ofCache > promptTokens ? promptTokens + ofCache : promptTokens,
      completionTokens,
      ...(cached === undefined ? {} : { cachedPromptTokens: cached }),
      ...(written === undefined ? {} : { cacheWritePromptTokens: written }),
    },
    estimated: false,
  };
}

/** The provider's name of the model, if it is one: it comes over the wire like all else. */
export function modelName(reported: unknown): string | undefined {
  return typeof reported === 'string' && /^[\w.:/@-]{1,200}$/.test(reported) ? reported : undefined;
}

function normalizeCall(call: ReplyToolCall, id: string): ToolCall {
  const named: unknown = call?.name;
  // A name that is no text is no name: of an object there is no telling what its text would be.
  const name = typeof named === 'string' ? named : '';
  const { value, problem } = readArguments(call?.arguments);
  return {
    id,
    name: name.slice(0, LONGEST_NAME).toWellFormed(),
    arguments: value,
    ...(problem === undefined ? {} : { malformed: problem }),
  };
}

/** Arguments may come parsed or as JSON text; nothing is repaired, for half an argument is worse than none. */
function readArguments(raw: unknown): { readonly value: JsonObject; readonly problem?: string } {
  if (raw === undefined || raw === null || raw === '') return { value: {} };
  const problem = (what: string) => ({ value: {}, problem: `they ${what}` });
  try {
    const value: unknown = JSON.parse((typeof raw === 'string' ? raw : JSON.stringify(raw)).toWellFormed());
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return problem('are not a JSON object');
    const fault = findFault(value, 1);
    if (fault === 'deep') return problem(`are nested more than ${DEEPEST} deep`);
    if (fault === 'key') return problem('use the key "__proto__"');
    return { value: (fault === 'surrogate' ? wellFormedTexts(value) : value) as JsonObject };
  } catch (error) {
    return problem(`are not valid JSON${whereItBreaks(error)}`);
  }
}

/** Where JSON text breaks; not what stands there, which the parser quotes: it may be part of a secret. */
function whereItBreaks(error: unknown): string {
  const found = error instanceof Error ? /at position \d+/.exec(error.message) : null;
  return found === null ? '' : ` (it breaks ${found[0]})`;
}

type Fault = 'deep' | 'key' | 'surrogate';

/**
 * What is wrong with parsed arguments, the gravest first. Looked for in what was parsed: in JSON text both a key and
 * half of a pair can hide behind an escape. Stores and clones treat the key in their own ways, so that what is approved
 * might not be what runs.
 */
function findFault(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'surrogate';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > DEEPEST) return 'deep';
  let found: Fault | undefined;
  for (const [key, item] of Object.entries(value)) {
    const fault = key === '__proto__' ? 'key' : (findFault(item, depth + 1) ?? findFault(key, depth));
    if (fault === 'deep') return fault;
    if (fault !== undefined && found !== 'key') found = fault;
  }
  return found;
}

function wellFormedTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormedTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormedTexts(item)]),
  );
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function tokenCount(value: unknown): number | undefined {
  return isTokenCount(value) ? value : undefined;
}
