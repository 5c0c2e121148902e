import { afterEach, describe, expect, it } from 'vitest';
import { harperBackend } from '../../src/scripted-model/harper-backend.js';
import { registerScript } from '../../src/scripted-model/register-script.js';
import { ScriptedModel } from '../../src/scripted-model/scripted-model.js';
import { answers, calls, hangs, reply } from '../../src/scripted-model/step.js';

describe('harperBackend', () => {
  it('answers in the form of the host: output and usage apart', async () => {
    const backend = harperBackend(new ScriptedModel([reply('done', { promptTokens: 7 })]));
    expect(await backend.generate('Go')).toEqual({
      status: 'completed',
      output: { content: 'done', finishReason: 'stop' },
      usage: { promptTokens: 7 },
    });
    expect(backend.capabilities()).toEqual({
      embed: false,
      generate: true,
      stream: false,
      tools: true,
      adapters: false,
    });
  });

  it('gives every call an id, keeping the one a script gives', async () => {
    const look = { name: 'look', arguments: {} };
    const backend = harperBackend(
      new ScriptedModel([calls(look, look, { id: 'own', ...look }), calls(look)]),
    );
    const output = [(await backend.generate('Go')).output, (await backend.generate('Go')).output];
    expect(output).toMatchObject([
      { toolCalls: [{ id: '1.0' }, { id: '1.1' }, { id: 'own' }] },
      { toolCalls: [{ id: '2.0' }] },
    ]);
  });

  it('passes odd answers on', async () => {
    const backend = harperBackend(
      new ScriptedModel([answers(null), answers({}), answers({ content: null, toolCalls: 'no' })]),
    );
    expect(await backend.generate('Go')).toEqual({ status: 'completed', output: null });
    expect(await backend.generate('Go')).toEqual({ status: 'completed', output: {} });
    expect(await backend.generate('Go')).toEqual({
      status: 'completed',
      output: { content: null, toolCalls: 'no' },
    });
  });

  it('reads all three forms of input and the limits', async () => {
    const model = new ScriptedModel(() => reply('done'));
    const backend = harperBackend(model, 'small');
    const args: object = JSON.parse('{"__proto__":{"x":1}}');
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look', arguments: args }] },
      { role: 'tool', content: 'ok', toolCallId: 'a' },
    ];
    const tools = [{ name: 'look', description: 'Looks', parameters: { type: 'object' } }];
    await backend.generate('Go', {});
    await backend.generate(messages);
    await backend.generate(
      { messages: messages.slice(1), tools, system: 'Be exact.' },
      { maxTokens: 99, conversationId: 's1', temperature: 1 },
    );
    expect(model.requests).toEqual([
      { model: 'small', system: '', messages: [{ role: 'user', content: 'Go' }], tools: [] },
      { model: 'small', system: 'Be brief.', messages: messages.slice(1), tools: [] },
      {
        model: 'small',
        system: 'Be exact.',
        messages: messages.slice(1),
        tools,
        maxTokens: 99,
        conversationId: 's1',
      },
    ]);
    expect(JSON.stringify(model.requests[2]?.messages[1])).toContain('{"__proto__":{"x":1}}');
  });

  it('refuses input no provider could read', async () => {
    const backend = harperBackend(new ScriptedModel([]));
    await expect(backend.generate({ messages: [{ role: 'user' }] })).rejects.toThrow(
      /The input of models.generate cannot be read/,
    );
    await expect(backend.generate('Go', { maxTokens: 'many' })).rejects.toThrow(
      /The options of models.generate.*\n.*maxTokens/,
    );
  });

  it('hears the signal of the host', async () => {
    const hanging = harperBackend(new ScriptedModel([hangs()])).generate('Go', {
      signal: AbortSignal.abort('enough'),
    });
    await expect(hanging).rejects.toBe('enough');
  });
});

describe('registerScript', () => {
  afterEach(() => void Reflect.deleteProperty(globalThis, 'models'));

  it('registers the script with the host’s models under the configured name', async () => {
    const registered: unknown[][] = [];
    Reflect.set(globalThis, 'models', { registerBackend: (...args: unknown[]) => registered.push(args) });
    registerScript(new ScriptedModel([]))({
      logicalName: 'default',
      kind: 'generative',
      config: { backend: './script.mjs' },
    });
    expect(registered).toMatchObject([['generative', 'default', { name: 'scripted' }]]);
  });

  it('says what is missing', () => {
    const register = registerScript(new ScriptedModel([]));
    expect(() => register({ logicalName: 'default', kind: 'generative' })).toThrow(
      'There is no global "models"',
    );
    expect(() => register({ logicalName: 'default', kind: 'embedding' })).toThrow(
      'A scripted model is generative; it was configured as {"logicalName":"default","kind":"embedding"}',
    );
  });
});
