import type { LanguageModelV3 } from '@ai-sdk/provider';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import type { LLMock } from '@copilotkit/aimock';
import type { FinishReason, ToolDefinition } from '@harperfast/agent-core/contracts';

/** A wire format: how a model that speaks it is made, and how its provider puts things. */
export interface Wire {
  readonly name: string;
  /** `base` is where below the mock the format is spoken: `mountRaw` names another place. */
  model(mock: LLMock, id?: string, base?: string): LanguageModelV3;
  /** Checks of the gateway's suite that the provider's package does not pass. */
  readonly cannotCarry: Readonly<Record<string, string>>;
  readonly finishReasons: readonly (readonly [native: string, ours: FinishReason])[];
  answer(text: string, finishReason: string, usage?: object): object;
  /** An answer to a prompt of 1000 tokens, 900 of which came from the cache; the answer has 5. */
  readonly answerWithCache: object;
  /** How many of the others were written to the cache; only Anthropic tells. */
  readonly cacheWrites: number | undefined;
  usage(input: number, output: number): Readonly<Record<string, number>>;
  /** The body that the transcript of the test on requests becomes. */
  sent(tool: ToolDefinition): object;
}

const anthropicAnswer = (text: string, finishReason: string, usage: object = {}): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text }],
  stop_reason: finishReason,
  stop_sequence: null,
  usage: { input_tokens: 0, output_tokens: 0, ...usage },
});

const anthropic: Wire = {
  name: 'Anthropic',
  model: (mock, id = 'claude-sonnet-4-6', base = '') =>
    createAnthropic({ apiKey: 'test', baseURL: `${mock.url}${base}/v1` })(id),
  cannotCarry: {
    'with their ids, names and arguments': 'the AI SDK refuses an answer with a key named __proto__',
  },
  finishReasons: [
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['something_new', 'stop'],
  ],
  answer: anthropicAnswer,
  answerWithCache: anthropicAnswer('hi', 'end_turn', {
    input_tokens: 60,
    output_tokens: 5,
    cache_read_input_tokens: 900,
    cache_creation_input_tokens: 40,
  }),
  cacheWrites: 40,
  usage: (input, output) => ({ input_tokens: input, output_tokens: output }),
  sent: ({ name, description, parameters }) => ({
    model: 'a-model',
    max_tokens: 321,
    temperature: 0.5,
    system: [
      { type: 'text', text: 'You are the agent.' },
      { type: 'text', text: 'Be brief.' },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'read it' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          {
            type: 'tool_use',
            id: 'call_1',
            name: 'read_file',
            input: { path: 'Ü 🚀', deep: [null, { a: 1 }] },
          },
          { type: 'tool_use', id: 'call_2', name: 'no_such_tool', input: {} },
          { type: 'tool_use', id: 'call_3', name: 'no_such_tool', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'the text' },
          { type: 'tool_result', tool_use_id: 'call_2', content: '' },
          { type: 'tool_result', tool_use_id: 'call_3', content: 'no such tool' },
          { type: 'text', text: 'and now?' },
        ],
      },
    ],
    tools: [{ name, description, input_schema: parameters }],
    tool_choice: { type: 'auto' },
  }),
};

const openaiAnswer = (text: string, finishReason: string, usage?: object): object => ({
  id: 'chatcmpl-1',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
  ...(usage === undefined ? {} : { usage }),
});

const openai: Wire = {
  name: 'OpenAI',
  model: (mock, id = 'gpt-5', base = '') =>
    createOpenAI({ apiKey: 'test', baseURL: `${mock.url}${base}/v1` }).chat(id),
  cannotCarry: {},
  finishReasons: [
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
    ['something_new', 'stop'],
  ],
  answer: openaiAnswer,
  answerWithCache: openaiAnswer('hi', 'stop', {
    prompt_tokens: 1000,
    completion_tokens: 5,
    total_tokens: 1005,
    prompt_tokens_details: { cached_tokens: 900 },
  }),
  cacheWrites: undefined,
  usage: (input, output) => ({ prompt_tokens: input, completion_tokens: output }),
  sent: (tool) => ({
    model: 'a-model',
    max_tokens: 321,
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'You are the agent.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'read it' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          toolCall('call_1', 'read_file', '{"path":"Ü 🚀","deep":[null,{"a":1}]}'),
          toolCall('call_2', 'no_such_tool', '{}'),
          toolCall('call_3', 'no_such_tool', '{}'),
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'the text' },
      { role: 'tool', tool_call_id: 'call_2', content: '' },
      { role: 'tool', tool_call_id: 'call_3', content: 'no such tool' },
      { role: 'user', content: 'and now?' },
    ],
    tools: [{ type: 'function', function: tool }],
    tool_choice: 'auto',
  }),
};

function toolCall(id: string, name: string, given: string): object {
  return { id, type: 'function', function: { name, arguments: given } };
}

export const WIRES: readonly [Wire, Wire] = [anthropic, openai];

/** The part of usage where a provider that tells of such writes tells that there were none. */
export function noneWritten({ cacheWrites }: Wire): { readonly cacheWritePromptTokens?: number } {
  return cacheWrites === undefined ? {} : { cacheWritePromptTokens: 0 };
}
