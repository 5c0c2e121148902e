import { describe, expect, it } from 'vitest';
import type { ModelCall } from '../../src/call/call-model.js';
import { callModel } from '../../src/call/call-model.js';
import { RAW, captureRaw } from '../support/mount-raw.js';
import { openMock } from '../support/open-mock.js';
import { noneWritten, WIRES } from '../support/wire.js';

const hello: ModelCall = { messages: [{ role: 'user', content: 'hello' }], tools: [] };
const tool = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
};

describe.each(WIRES)('callModel over the wire of $name', (wire) => {
  it('sends the whole transcript, the tools and the limits, and nothing else', async () => {
    const mock = await openMock();
    const sent = captureRaw(mock, wire.answerWithCache);
    await callModel(wire.model(mock, 'a-model', RAW), {
      system: 'You are the agent.',
      messages: [
        { role: 'user', content: 'read it' },
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: '' },
        {
          role: 'assistant',
          content: 'I look.',
          toolCalls: [
            { id: 'call_1', name: 'read_file', arguments: { path: 'Ü 🚀', deep: [null, { a: 1 }] } },
            { id: 'call_2', name: 'constructor', arguments: {} },
            { id: 'call_3', name: 'with space', arguments: {} },
          ],
        },
        { role: 'tool', toolCallId: 'call_1', content: 'the text' },
        { role: 'tool', toolCallId: 'call_2', content: '' },
        { role: 'tool', toolCallId: 'call_3', content: 'no such tool' },
        { role: 'user', content: 'and now?' },
      ],
      tools: [tool],
      maxTokens: 321,
      temperature: 0.5,
    });
    expect(sent()).toEqual(wire.sent(tool));
  });

  it('hands over text, calls, usage and the name of the model', async () => {
    const mock = await openMock();
    mock.onMessage('hello', {
      content: 'I read two.',
      toolCalls: [
        { id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' },
        { id: 'call_2', name: 'read_file', arguments: '' },
      ],
      model: 'the-very-model',
      usage: wire.usage(120, 30),
    });
    expect(await callModel(wire.model(mock), { ...hello, tools: [tool] })).toEqual({
      content: 'I read two.',
      toolCalls: [
        { id: 'call_1', name: 'read_file', arguments: { path: 'a' } },
        { id: 'call_2', name: 'read_file', arguments: {} },
      ],
      finishReason: 'tool_calls',
      usage: { promptTokens: 120, completionTokens: 30, cachedPromptTokens: 0, ...noneWritten(wire) },
      model: 'the-very-model',
    });
  });

  it.each(wire.finishReasons)('takes the finish reason %s for %s', async (native, finishReason) => {
    const mock = await openMock();
    captureRaw(mock, wire.answer('as far as I got', native));
    expect(await callModel(wire.model(mock, 'm', RAW), hello)).toMatchObject({
      content: 'as far as I got',
      toolCalls: [],
      finishReason,
    });
  });

  it('counts the tokens of the cache among those of the prompt, and apart', async () => {
    const mock = await openMock();
    captureRaw(mock, wire.answerWithCache);
    expect(await callModel(wire.model(mock, 'm', RAW), hello)).toMatchObject({
      content: 'hi',
      usage: {
        promptTokens: 1000,
        completionTokens: 5,
        cachedPromptTokens: 900,
        ...(wire.cacheWrites === undefined ? {} : { cacheWritePromptTokens: wire.cacheWrites }),
      },
    });
  });

  it('asks for JSON of a schema', async () => {
    const mock = await openMock();
    const sent = captureRaw(mock, wire.answerWithCache);
    const schema = { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false };
    await callModel(wire.model(mock, undefined, RAW), { ...hello, responseFormat: { schema } });
    expect(JSON.stringify(sent())).toContain('"a":{"type":"number"}');
  });
});

describe('callModel', () => {
  const [, openai] = WIRES;

  it('leaves arguments that are no JSON as they came, and usage that was not reported out', async () => {
    const mock = await openMock();
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'read_file', arguments: '{"path":"/etc/ho' },
    };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    captureRaw(mock, { choices: [{ index: 0, message, finish_reason: 'stop' }] });
    expect(await callModel(openai.model(mock, 'm', RAW), hello)).toEqual({
      content: '',
      toolCalls: [{ id: 'c', name: 'read_file', arguments: '{"path":"/etc/ho' }],
      finishReason: 'tool_calls',
    });
  });
});
