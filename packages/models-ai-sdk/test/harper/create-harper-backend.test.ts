import { Models } from '@harperfast/agent-testkit/host';
import { describe, expect, it } from 'vitest';
import { createHarperBackend } from '../../src/index.js';
import { openMock } from '../support/open-mock.js';
import { noneWritten, WIRES } from '../support/wire.js';

const messages = [{ role: 'user', content: 'hello' }] as const;
const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }];

describe.each(WIRES)("createHarperBackend behind Harper's models, over the wire of $name", (wire) => {
  async function open() {
    const mock = await openMock();
    const models = new Models();
    models.registerBackend('generative', 'default', Object(createHarperBackend(wire.model(mock))));
    return { mock, models };
  }

  it.each([
    ['a text', 'hello'],
    ['a list of messages', messages],
    ['an object', { messages, system: 'Be brief.' }],
  ])('takes %s', async (_form, input) => {
    const { mock, models } = await open();
    mock.onMessage('hello', { content: 'hi', model: 'm-1', usage: wire.usage(7, 2) });
    expect(await models.generate(input, { maxTokens: 50 })).toEqual({
      content: 'hi',
      toolCalls: [],
      finishReason: 'stop',
      model: 'm-1',
      usage: { promptTokens: 7, completionTokens: 2, cachedPromptTokens: 0, ...noneWritten(wire) },
    });
  });

  it('serves requests with tools, and the loop of the host', async () => {
    const { mock, models } = await open();
    mock.on({ hasToolResult: true }, { content: 'a cat' });
    mock.onMessage('hello', { toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] });
    const seen: unknown[] = [];
    const answer = await models.generate(
      { messages, tools },
      { toolMode: 'auto', toolHandlers: { look: (given) => seen.push(given) } },
    );
    expect(answer).toMatchObject({ content: 'a cat' });
    expect(seen).toEqual([{}]);
  });

  it('puts on its errors what Harper and the agent read', async () => {
    const { mock, models } = await open();
    mock.nextRequestError(400, { message: 'prompt is too long', code: 'context_length_exceeded' });
    await expect(models.generate('hello')).rejects.toMatchObject({
      contextWindowExceeded: true,
      upstreamStatus: 400,
      statusCode: 500,
    });
    mock.nextRequestError(503, { message: 'overloaded' });
    await expect(models.generate('hello')).rejects.toMatchObject({
      contextWindowExceeded: false,
      upstreamStatus: 503,
    });
  });

  it('lets a fallback of the host take over', async () => {
    const { mock, models } = await open();
    models.registerBackend('generative', 'spare', Object(createHarperBackend(wire.model(mock, 'spare'))));
    models.setFallback('generative', 'default', ['spare']);
    mock.on({ model: 'spare' }, { content: 'from the spare one' });
    mock.on({ predicate: () => true }, { error: { message: 'down' }, status: 500 });
    expect(await models.generate('hello')).toMatchObject({ content: 'from the spare one' });
  });
});

describe('createHarperBackend', () => {
  it.each([
    ['no messages', {}, {}, /input.*messages/s],
    ['a role of its own', [{ role: 'judge', content: 'x' }], {}, /input.*role/s],
    ['a limit that is none', 'hello', { maxTokens: 0 }, /options.*maxTokens/s],
  ])('refuses %s', async (_what, input, options, problem) => {
    const backend = createHarperBackend(WIRES[0].model(await openMock()));
    await expect(backend.generate(input, options)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(problem),
    });
  });
});
