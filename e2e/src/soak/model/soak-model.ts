import type { JsonObject, ModelReply, ModelRequest, ReplyToolCall, Usage } from '@harperfast/agent-core';
import { transcriptFault } from '@harperfast/agent-testkit';
import type { CallSpec, Scenario, UsageSpec } from './scenario.js';
import { SECRET } from './scenario.js';
import { exactCost } from '../exact-cost.js';
import { Violation } from '../violation.js';
import type { SessionRecord } from './session-record.js';
import type { World } from './world.js';

/** A model that answers as the scenario says, and looks at every request as a strict provider and an auditor would. */
export interface SoakModel {
  readonly generate: (request: ModelRequest, signal: AbortSignal) => Promise<ModelReply>;
  /** Lets the calls that hang answer. */
  release(): void;
}

export function soakModel(world: World, alive: () => boolean, caps: () => number): SoakModel {
  const hanging = new Set<() => void>();

  function answer(
    request: ModelRequest,
    record: SessionRecord,
    fields: ModelReply,
    calls: readonly CallSpec[],
    spec: UsageSpec,
  ): ModelReply {
    const usage = usageOf(spec, request);
    if (record.request !== undefined) {
      record.request.rawArguments =
        fields.finishReason === 'length' || fields.finishReason === 'content_filter'
          ? []
          : calls.map(argumentsOf);
      record.request.costMicros = isSane(usage) ? exactCost(world.scenario.price, usage) : undefined;
    }
    return {
      ...fields,
      ...(calls.length === 0 ? {} : { toolCalls: calls.map(toReplyCall) }),
      ...(usage === undefined ? {} : { usage }),
    };
  }

  return {
    async generate(request, signal) {
      if (!alive()) return new Promise(() => undefined);
      const record = world.durable.find(request.conversationId);
      if (record === undefined) return new Promise(() => undefined);
      const summary = request.tools.length === 0 && request.messages.length === 1;
      world.watch(() => checkRequest(request, record, summary, world.scenario, caps()));
      record.request = {
        capMicros: caps(),
        rawArguments: [],
        costMicros: undefined,
      };
      const step = world.nextModelStep();
      switch (step.kind) {
        case 'says':
          return answer(request, record, { content: step.text, finishReason: 'stop' }, [], step.usage);
        case 'calls':
          return answer(request, record, { content: '', finishReason: 'tool_calls' }, step.calls, step.usage);
        case 'cut':
          return answer(
            request,
            record,
            { content: 'half a', finishReason: step.finish },
            step.calls,
            step.usage,
          );
        case 'nonsense':
          return answer(request, record, { content: null, finishReason: 'weird' }, [], 'odd');
        case 'fails':
          throw failure(step.how);
        case 'hangs':
          await new Promise<void>((resolve, reject) => {
            hanging.add(resolve);
            if (step.deaf) return;
            if (signal.aborted) reject(signal.reason);
            else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          });
          return answer(request, record, { content: 'at last', finishReason: 'stop' }, [], 'within');
      }
    },
    release() {
      for (const resolve of hanging) resolve();
      hanging.clear();
    },
  };
}

function checkRequest(
  request: ModelRequest,
  record: SessionRecord,
  summary: boolean,
  { price }: Scenario,
  cap: number,
): void {
  const { expected } = record;
  const fault = transcriptFault(request.messages);
  if (fault !== undefined) throw new Violation(`a provider would refuse the request: ${fault}`);
  if (JSON.stringify(request).includes(SECRET)) throw new Violation('the model was sent the secret');
  if (
    expected.costMicros + exactCost(price, { promptTokens: 0, completionTokens: request.maxTokens }) >
    cap
  ) {
    throw new Violation(
      `a call of up to ${request.maxTokens} tokens started with ${expected.costMicros} of ${cap} micro-dollars spent`,
    );
  }
  if (summary) return;
  for (const { call, start, result } of expected.openCalls) {
    if (result === undefined && start !== undefined)
      throw new Violation(`a request before the result of ${call.id} was durable`);
  }
  // Texts of prompts are unique in a session, and nobody else says such things.
  const told = request.messages.flatMap(({ role, content }) =>
    role === 'user' && content.startsWith('prompt ') ? [content] : [],
  );
  const accepted = expected.prompts.map(({ text }) => text);
  // A prompt whose write is under way may be told already; it comes after all that are durable.
  const places = told
    .map((text) => accepted.indexOf(text))
    .map((place) => (place < 0 ? accepted.length : place));
  const inOrder = places.every(
    (place, index) => index === 0 || place > (places[index - 1] ?? -1) || place === accepted.length,
  );
  if (!inOrder || new Set(told).size < told.length)
    throw new Violation(`the request tells the prompts ${told.join(', ')} of ${accepted.join(', ')}`);
  const unread = accepted.filter((text) => !told.includes(text) && !text.startsWith('The process ended'));
  if (expected.summaries === 0 && unread.length > 0)
    throw new Violation(`the request leaves out ${unread.join(', ')}`);
}

function toReplyCall({ tool, value, form }: CallSpec): ReplyToolCall {
  const given = { value };
  const forms = {
    object: given,
    text: JSON.stringify(given),
    broken: '{"value": "a',
    wrong: { value, more: 1 },
  };
  return { id: 'same', name: tool, arguments: forms[form] };
}

/** What a tool may be executed with for this call. */
function argumentsOf({ value, form }: CallSpec): JsonObject | undefined {
  return form === 'object' || form === 'text' ? { value } : undefined;
}

function usageOf(spec: UsageSpec, request: ModelRequest): Usage | undefined {
  const characters = JSON.stringify([request.system, request.messages, request.tools]).length;
  switch (spec) {
    case 'within':
      return { promptTokens: Math.floor(characters / 8), completionTokens: Math.min(20, request.maxTokens) };
    case 'full':
      return { promptTokens: Math.floor(characters / 5), completionTokens: request.maxTokens };
    case 'over':
      return { promptTokens: characters * 4, completionTokens: request.maxTokens * 3, cachedPromptTokens: 5 };
    case 'zero':
      return { promptTokens: 0, completionTokens: 0 };
    case 'odd':
      return { promptTokens: Number.NaN, completionTokens: -1 };
    case 'missing':
      return undefined;
  }
}

function isSane(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && usage.promptTokens > 0 && usage.completionTokens >= 0;
}

function failure(how: 'transient' | 'later' | 'final' | 'window'): Error {
  const marks = {
    transient: { upstreamStatus: 503 },
    later: { upstreamStatus: 429, retryAfterMs: 2_000 },
    final: { upstreamStatus: 401 },
    window: { contextWindowExceeded: true },
  };
  return Object.assign(new Error(`the provider said ${how}`), marks[how]);
}
