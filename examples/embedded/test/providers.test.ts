import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { providerBackend } from '../src/models/provider-backend.js';

const mock = new LLMock({ port: 0 });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
beforeEach(() => {
  mock.reset();
});

const input = {
  system: 'You are the agent.',
  messages: [
    { role: 'user', content: 'read the file' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call_1', name: 'list_dir', arguments: { path: 'hello' } }],
    },
    { role: 'tool', toolCallId: 'call_1', content: 'resources.js' },
  ],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
      },
    },
  ],
};
const readFile = { id: 'call_2', name: 'read_file', arguments: '{"path":"hello/resources.js"}' };
const models = {
  anthropic: () => createAnthropic({ apiKey: 'test', baseURL: `${mock.url}/v1` })('claude-sonnet-4-6'),
  openai: () => createOpenAI({ apiKey: 'test', baseURL: `${mock.url}/v1` }).chat('gpt-5'),
  // The same wire format; only here the mock tells of cached tokens.
  openrouter: () => createOpenAI({ apiKey: 'test', baseURL: `${mock.url}/api/v1` }).chat('openai/gpt-5'),
};

describe('providerBackend over the wire', () => {
  it('speaks Anthropic: transcript out, tool call and usage in', async () => {
    mock.onToolResult('call_1', { toolCalls: [readFile], usage: { input_tokens: 120, output_tokens: 30 } });
    const answer = await providerBackend(models.anthropic()).generate(input, { maxTokens: 500 });
    expect(answer).toMatchObject({
      status: 'completed',
      output: {
        finishReason: 'tool_calls',
        toolCalls: [{ id: 'call_2', name: 'read_file', arguments: { path: 'hello/resources.js' } }],
      },
      usage: { promptTokens: 120, completionTokens: 30 },
    });
    const sent = mock.getLastRequest();
    expect(sent?.path).toBe('/v1/messages');
    const body = JSON.stringify(sent?.body);
    for (const part of ['You are the agent.', 'read the file', 'list_dir', 'resources.js', '500'])
      expect(body).toContain(part);
  });

  it('speaks OpenAI: transcript out, tool call and usage in', async () => {
    mock.onToolResult('call_1', {
      toolCalls: [readFile],
      usage: { prompt_tokens: 110, completion_tokens: 25 },
    });
    const answer = await providerBackend(models.openai()).generate(input, { maxTokens: 500 });
    expect(answer).toMatchObject({
      output: {
        finishReason: 'tool_calls',
        toolCalls: [{ id: 'call_2', name: 'read_file', arguments: { path: 'hello/resources.js' } }],
      },
      usage: { promptTokens: 110, completionTokens: 25 },
    });
    expect(mock.getLastRequest()?.path).toBe('/v1/chat/completions');
  });

  it.each(['stop', 'length', 'content_filter'] as const)(
    'reports the finish reason %s',
    async (finishReason) => {
      mock.onMessage('read the file', { content: 'as far as I got', finishReason });
      const answer = await providerBackend(models.openai()).generate({
        messages: input.messages.slice(0, 1),
      });
      expect(answer.output).toEqual({ content: 'as far as I got', toolCalls: [], finishReason });
    },
  );

  it('reports tokens that came from the cache apart', async () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 900 },
    };
    mock.onMessage('read the file', { content: 'done', usage });
    const answer = await providerBackend(models.openrouter()).generate({
      messages: input.messages.slice(0, 1),
    });
    expect(answer.usage).toEqual({ promptTokens: 1000, completionTokens: 5, cachedPromptTokens: 900 });
  });

  it('rejects with what the provider says, and when it is aborted', async () => {
    mock.nextRequestError(400, { message: 'no such model', type: 'invalid_request_error' });
    await expect(
      providerBackend(models.openai()).generate({ messages: input.messages.slice(0, 1) }),
    ).rejects.toThrow('no such model');
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(providerBackend(models.openai()).generate(input, { signal })).rejects.toThrow('cancelled');
  });
});
