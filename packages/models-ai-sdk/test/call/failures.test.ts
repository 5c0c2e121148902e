import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { createAnthropic } from '@ai-sdk/anthropic';
import { LLMock } from '@copilotkit/aimock';
import { AgentError } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import type { ModelCall } from '../../src/call/call-model.js';
import { callModel } from '../../src/call/call-model.js';
import { saysWindowExceeded } from '../../src/call/says-window-exceeded.js';
import { RAW, mountRaw } from '../support/mount-raw.js';
import { openMock } from '../support/open-mock.js';
import { WIRES } from '../support/wire.js';

const call: ModelCall = { messages: [{ role: 'user', content: 'a prompt of our own' }], tools: [] };

describe.each(WIRES)('a call that fails over the wire of $name', (wire) => {
  it.each([
    [400, 'request_refused'],
    [401, 'authentication_failed'],
    [403, 'authentication_failed'],
    [404, 'request_refused'],
    [408, 'provider_unavailable'],
    [429, 'rate_limited'],
    [500, 'provider_unavailable'],
    [529, 'provider_unavailable'],
  ])('is told by the status %i: %s', async (status, code) => {
    const mock = await openMock();
    mock.nextRequestError(status, { message: 'what the provider says' });
    const error: unknown = await callModel(wire.model(mock, 'a-model'), call).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      code,
      upstreamStatus: status,
      contextWindowExceeded: false,
      statusCode: 500,
    });
    expect(AgentError.isInstance(error) && error.message).toMatch(
      new RegExp(`a-model .*HTTP status ${status}: what the provider says`),
    );
    expect(mock.getRequests()).toHaveLength(1);
  });

  it('keeps what the provider says about when to try again', async () => {
    const mock = await openMock();
    mock.on({ predicate: () => true }, { error: { message: 'slow down' }, status: 429, retryAfter: 7 });
    await expect(callModel(wire.model(mock), call)).rejects.toMatchObject({ retryAfter: '7' });
  });

  it('says that the request is larger than the context window', async () => {
    const mock = await openMock();
    mock.nextRequestError(400, {
      message: 'prompt is too long: 210000 tokens > 200000 maximum',
      code: 'context_length_exceeded',
    });
    await expect(callModel(wire.model(mock), call)).rejects.toMatchObject({
      code: 'context_window_exceeded',
      contextWindowExceeded: true,
      upstreamStatus: 400,
    });
  });

  it('is a failure of the network when the connection breaks', async () => {
    const mock = await openMock();
    mountRaw(mock, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"id":', () => response.destroy());
    });
    await expect(callModel(wire.model(mock, 'm', RAW), call)).rejects.toMatchObject({
      code: 'network_failed',
      cause: { code: expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/) },
    });
  });

  it('is a failure of the network when nobody listens', async () => {
    const mock = new LLMock({ port: 0 });
    await mock.start();
    const model = wire.model(mock);
    await mock.stop();
    await expect(callModel(model, call)).rejects.toMatchObject({
      code: 'network_failed',
      upstreamStatus: undefined,
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('says so when the answer cannot be read', async () => {
    const mock = await openMock();
    mountRaw(mock, (_request, response) => response.writeHead(200).end('<html>captive portal</html>'));
    await expect(callModel(wire.model(mock, 'm', RAW), call)).rejects.toMatchObject({
      code: 'unreadable_answer',
      upstreamStatus: 200,
    });
  });

  it('is given up after requestTimeoutMs, as something that may be tried again', async () => {
    const mock = await openMock();
    mountRaw(mock, () => undefined);
    const options = { requestTimeoutMs: 20 };
    await expect(callModel(wire.model(mock, 'm', RAW), call, options)).rejects.toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('20 ms'),
      cause: { code: 'ETIMEDOUT' },
    });
  });

  it('closes the connection on abort and rejects with its reason', async () => {
    const mock = await openMock();
    const controller = new AbortController();
    const arrived = new Promise<ServerResponse>((resolve) => {
      mountRaw(mock, (_request, response) => response.write('{"id":', () => resolve(response)));
    });
    const asked = callModel(wire.model(mock, 'm', RAW), { ...call, signal: controller.signal });
    const closed = once(await arrived, 'close');
    controller.abort('cancelled by the operator');
    await expect(asked).rejects.toBe('cancelled by the operator');
    await closed;
  });

  it('sends nothing when it is aborted before', async () => {
    const mock = await openMock();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(callModel(wire.model(mock), { ...call, signal })).rejects.toThrow('too late');
    expect(mock.getRequests()).toEqual([]);
  });
});

describe('a failed call', () => {
  it('shows neither the request nor the key, however closely it is looked at', async () => {
    const mock = await openMock();
    const model = createAnthropic({ apiKey: 'sk-ant-very-secret', baseURL: `${mock.url}/v1` })('m');
    mock.nextRequestError(500, { message: 'overloaded' });
    const error: unknown = await callModel(model, call).catch((thrown: unknown) => thrown);
    const seen = inspect(error, { depth: 20, showHidden: true });
    expect(seen).toContain('overloaded');
    expect(seen).not.toMatch(/very-secret|a prompt of our own/);
  });

  it('names the variable when there is no key', async () => {
    const before = process.env['ANTHROPIC_API_KEY'];
    delete process.env['ANTHROPIC_API_KEY'];
    try {
      await expect(callModel(createAnthropic()('m'), call)).rejects.toMatchObject({
        code: 'authentication_failed',
        message: expect.stringContaining('ANTHROPIC_API_KEY'),
      });
    } finally {
      if (before !== undefined) process.env['ANTHROPIC_API_KEY'] = before;
    }
  });
});

describe('saysWindowExceeded', () => {
  it.each([
    [400, 'input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000'],
    [400, "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000"],
    [400, 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
    [400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
    [400, 'the request exceeds the available context size. try increasing the context size'],
    [400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    [400, 'Please reduce the length of the messages or completion.'],
    [400, 'Input is too long for requested model.'],
    [413, 'Request exceeds the maximum size'],
    [422, 'context_length_exceeded'],
  ])('knows %i %s', (status, text) => {
    expect(saysWindowExceeded(status, text)).toBe(true);
  });

  it.each([
    [400, 'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for this model'],
    [400, 'messages.3: tool_use ids were found without tool_result blocks'],
    [400, "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64"],
    [429, 'This request would exceed the rate limit of 30000 input tokens; the prompt is too long'],
    [500, 'prompt is too long'],
  ])('is not misled by %i %s', (status, text) => {
    expect(saysWindowExceeded(status, text)).toBe(false);
  });
});
