import { HostError, messageOf } from '../host-error.js';
import { BudgetExceededError, ToolHandlerError } from './model-errors.js';
import type {
  GenerateInput,
  GenerateOptions,
  GenerateRequest,
  GenerateResult,
  HarperMessage,
  HarperToolCall,
  ToolHandler,
  ToolTraceEntry,
} from './model-types.js';
import { toolResultText } from './tool-result-text.js';

const ROUNDS = 10;
const RESULT_BYTES = 65_536;

interface Generator {
  generate(input: GenerateInput, options?: GenerateOptions): Promise<GenerateResult>;
}

/**
 * `toolMode: 'auto'`: asks `models`, runs the tools the reply calls, and asks again, until a reply calls none.
 * Rejects with `BudgetExceededError` after `maxToolIterations` rounds (10) that all called tools. A handler is
 * never raced against the signal: the loop goes on when all handlers of a round have settled.
 */
export async function autoLoop(
  models: Generator,
  first: GenerateInput,
  options: GenerateOptions,
): Promise<GenerateResult> {
  refuseUnsupported(options);
  const request = asRequest(first);
  const messages: HarperMessage[] = [...request.messages];
  const trace: ToolTraceEntry[] = [];
  const controller = new AbortController();
  const signal =
    options.signal === undefined ? controller.signal : AbortSignal.any([options.signal, controller.signal]);
  const round = { options, signal, trace, declared: new Set(request.tools?.map(({ name }) => name)) };
  const rounds = options.maxToolIterations ?? ROUNDS;
  let tokens = 0;
  const add = async (...turns: HarperMessage[]) => {
    messages.push(...turns);
    for (const turn of turns) await options.conversation?.append(turn);
  };
  try {
    for (let iteration = 0; iteration < rounds; iteration++) {
      signal.throwIfAborted();
      // A copy: whoever keeps a request must not see it grow.
      const input = { ...request, messages: [...messages] };
      const reply = await models.generate(input, { ...forRound(options), toolMode: 'return', signal });
      tokens += (reply.usage?.promptTokens ?? 0) + (reply.usage?.completionTokens ?? 0);
      if (options.maxToolTokens !== undefined && tokens >= options.maxToolTokens) {
        throw new BudgetExceededError('tokens', options.maxToolTokens, trace);
      }
      // Harper has no prices: its cost is always 0, so only a cap of 0 trips.
      if (options.maxCostUsd !== undefined && options.maxCostUsd <= 0) {
        throw new BudgetExceededError('cost', options.maxCostUsd, trace);
      }
      const calls = reply.toolCalls ?? [];
      if (calls.length === 0) {
        await add({ role: 'assistant', content: reply.content });
        return options.includeToolTrace === true ? { ...reply, trace } : reply;
      }
      await add({ role: 'assistant', content: reply.content, toolCalls: calls });
      await add(...(await runCalls(calls, iteration, round)));
    }
    throw new BudgetExceededError('iterations', rounds, trace);
  } finally {
    controller.abort();
  }
}

interface Round {
  readonly options: GenerateOptions;
  readonly signal: AbortSignal;
  readonly trace: ToolTraceEntry[];
  readonly declared: ReadonlySet<string>;
}

async function runCalls(
  calls: readonly HarperToolCall[],
  iteration: number,
  round: Round,
): Promise<HarperMessage[]> {
  const run = async (call: HarperToolCall): Promise<HarperMessage> => ({
    role: 'tool',
    toolCallId: call.id,
    content: await runCall(call, iteration, round),
  });
  if (round.options.toolParallelism !== 'serial') return Promise.all(calls.map(run));
  const results: HarperMessage[] = [];
  for (const call of calls) results.push(await run(call));
  return results;
}

async function runCall(call: HarperToolCall, iteration: number, round: Round): Promise<string> {
  const { options, signal, trace } = round;
  const started = performance.now();
  const entry = () => ({
    iteration,
    toolCallId: call.id,
    toolName: call.name,
    arguments: call.arguments,
    durationMs: performance.now() - started,
  });
  const handler = handlerOf(call.name, round);
  try {
    if (handler === undefined) throw new Error(`There is no tool '${call.name}'`);
    const value = await handler(call.arguments, { signal, accounting: {} });
    const { text, truncated, totalBytes } = toolResultText(value, options.toolResultMaxBytes ?? RESULT_BYTES);
    trace.push({ ...entry(), result: text, ...(truncated && { truncated, totalBytes }) });
    return text;
  } catch (error) {
    const name = error instanceof Error ? error.name : 'Error';
    trace.push({ ...entry(), error: { name, message: messageOf(error) } });
    if (signal.aborted) throw error;
    if (options.toolErrorMode === 'abort') throw new ToolHandlerError(call.name, error, trace);
    return toolResultText(
      { error: { name, message: messageOf(error) } },
      options.toolResultMaxBytes ?? RESULT_BYTES,
    ).text;
  }
}

/** Own properties only: a model that calls `constructor` must not reach an object's inherited members. */
function handlerOf(name: string, { options, declared }: Round): ToolHandler | undefined {
  const handlers = options.toolHandlers ?? {};
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (typeof handler === 'function') return handler;
  if (declared.has(name))
    throw new HostError(400, `The tool '${name}' is declared, but toolHandlers has no function for it`);
  return undefined;
}

function asRequest(input: GenerateInput): GenerateRequest {
  if (typeof input === 'string') return { messages: [{ role: 'user', content: input }] };
  return 'messages' in input ? input : { messages: input };
}

function forRound(options: GenerateOptions): GenerateOptions {
  const { model, requires, adapter, temperature, maxTokens, responseFormat, conversationId } = options;
  return {
    ...(model !== undefined && { model }),
    ...(requires !== undefined && { requires }),
    ...(adapter !== undefined && { adapter }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(responseFormat !== undefined && { responseFormat }),
    ...(conversationId !== undefined && { conversationId }),
  };
}

function refuseUnsupported({ toolArgValidation }: GenerateOptions): void {
  if (toolArgValidation !== undefined && toolArgValidation !== 'none') {
    throw new HostError(501, `toolArgValidation '${toolArgValidation}' is not implemented: use 'none'`);
  }
}
