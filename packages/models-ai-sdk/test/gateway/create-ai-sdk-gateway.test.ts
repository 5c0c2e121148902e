import { createAgent, createMemoryStore } from '@harperfast/agent-core';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Entry, EndEntry } from '@harperfast/agent-core/contracts';
import type { LLMock } from '@copilotkit/aimock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createAiSdkGateway } from '../../src/index.js';
import { openMock } from '../support/open-mock.js';
import type { Wire } from '../support/wire.js';
import { WIRES } from '../support/wire.js';

/** Sends one prompt through a real engine; resolves with the journal when the run ends. */
async function runPrompt(mock: LLMock, wire: Wire): Promise<readonly Entry[]> {
  const look = defineTool({
    name: 'look',
    description: 'Looks at a place.',
    input: z.strictObject({ place: z.string() }),
    effect: 'read',
    execute: async ({ place }) => ({ text: `there is a cat in the ${place}` }),
  });
  const store = createMemoryStore();
  let ended: (entry: EndEntry) => void;
  const end = new Promise<EndEntry>((resolve) => (ended = resolve));
  const agent = createAgent({
    store,
    gateway: createAiSdkGateway({ default: wire.model(mock) }),
    providers: [{ name: 'test', tools: () => [look], close: async () => undefined }],
    caller: { user: 'hdb_agent' },
    systemPrompt: () => 'You are a test.',
    prices: { price: () => ({ input: 1_000, output: 10_000, cachedInput: 100 }) },
    settings: { maxCostUsd: 1_000 },
    onEntries: (_id, entries) => entries.forEach((entry) => entry.kind === 'end' && ended(entry)),
  });
  onTestFinished(() => agent.close());
  const { sessionId } = await agent.prompt({ message: 'where is the cat?', by: 'me' });
  await end;
  return store.read(sessionId, { after: 0, limit: 100 });
}

describe.each(WIRES)('createAiSdkGateway in the engine, over the wire of $name', (wire) => {
  it('calls a tool, answers, books the usage and names the model', async () => {
    const mock = await openMock();
    mock.on(
      { toolResultContains: 'a cat in the hat' },
      { content: 'In the hat.', usage: wire.usage(200, 10) },
    );
    mock.onMessage('where is the cat?', {
      toolCalls: [{ name: 'look', arguments: '{"place":"hat"}' }],
      model: 'the-very-model',
      usage: wire.usage(100, 20),
    });
    const entries = await runPrompt(mock, wire);
    expect(entries.filter(({ kind }) => kind !== 'prompt')).toMatchObject([
      {
        kind: 'round',
        finishReason: 'tool_calls',
        model: 'the-very-model',
        usage: { promptTokens: 100, completionTokens: 20 },
        costMicros: 300_000,
      },
      { kind: 'result', outcome: 'ok', text: 'there is a cat in the hat' },
      { kind: 'round', content: 'In the hat.', costMicros: 300_000 },
      { kind: 'end', reason: 'answered' },
    ]);
  });

  it('is asked again after a failure that may pass, as soon as the provider allows', async () => {
    const mock = await openMock();
    mock.on(
      { predicate: () => true, sequenceIndex: 0 },
      { error: { message: 'slow' }, status: 429, retryAfter: 0 },
    );
    mock.on({ predicate: () => true }, { content: 'In the hat.' });
    const entries = await runPrompt(mock, wire);
    expect(entries.at(-1)).toMatchObject({ kind: 'end', reason: 'answered' });
    expect(mock.getRequests()).toHaveLength(2);
  });

  it('is not asked again with a wrong key, and the end of the run says so', async () => {
    const mock = await openMock();
    mock.on({ predicate: () => true }, { error: { message: 'invalid x-api-key' }, status: 401 });
    const entries = await runPrompt(mock, wire);
    expect(entries.at(-1)).toMatchObject({
      kind: 'end',
      reason: 'model_error',
      error: { code: 'authentication_failed', message: expect.stringContaining('check the key') },
    });
    expect(mock.getRequests()).toHaveLength(1);
  });
});

describe('createAiSdkGateway', () => {
  it('refuses a model of another specification, and says what to install', async () => {
    const model = Object.assign(Object.create(WIRES[0].model(await openMock())), {});
    Object.defineProperty(model, 'specificationVersion', { value: 'v4' });
    expect(() => createAiSdkGateway({ default: model })).toThrow(/version v4 .*@ai-sdk\/anthropic/);
  });
});
