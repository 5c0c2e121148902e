import { describe, expect, it } from 'vitest';
import { BudgetExceededError, Models, ToolHandlerError } from '../../src/host/index.js';
import type {
  GenerateInput,
  GenerateOptions,
  GenerateRequest,
  GenerateResult,
  HarperToolCall,
  ModelCallRow,
} from '../../src/host/index.js';

type Step = (input: GenerateInput, options: GenerateOptions) => GenerateResult | Promise<GenerateResult>;
const call = (id: string, name = 'tool', args: object = {}): HarperToolCall => ({
  id,
  name,
  arguments: args,
});
const calls = (...toolCalls: HarperToolCall[]): GenerateResult => ({
  content: '',
  toolCalls,
  finishReason: 'tool_calls',
});
const stop: GenerateResult = { content: 'done', finishReason: 'stop' };

function modelsWith(...steps: (Step | GenerateResult)[]) {
  const seen: { input: GenerateInput; options: GenerateOptions }[] = [];
  const rows: ModelCallRow[] = [];
  const models = new Models({ onCall: (row) => rows.push(row) });
  const backend = models.defineBackend({
    name: 'scripted',
    tools: true,
    async generate(input, options) {
      const step = steps[seen.length];
      seen.push({ input, options });
      if (step === undefined) throw new Error('no step left');
      const output = typeof step === 'function' ? await step(input, options) : step;
      return { status: 'completed', output, usage: { promptTokens: 10, completionTokens: 5 } };
    },
  });
  models.registerBackend('generative', 'default', backend);
  return { models, seen, rows };
}
const messagesOf = (input: GenerateInput | undefined) => (input as GenerateRequest).messages;

describe('Models.generate', () => {
  it('hands the backend the input and its own options, and copies the usage onto the result', async () => {
    const { models, seen, rows } = modelsWith(stop);
    const result = await models.generate('hi', {
      model: 'default',
      maxTokens: 7,
      conversationId: 'c',
      toolMode: 'return',
    });
    expect(result).toEqual({ ...stop, usage: { promptTokens: 10, completionTokens: 5 } });
    expect(seen).toEqual([{ input: 'hi', options: { maxTokens: 7, conversationId: 'c' } }]);
    expect(rows).toMatchObject([
      { model: 'default', backend: 'scripted', success: true, conversationId: 'c' },
    ]);
  });

  it('fails for an unknown name, and for tools where no backend has them', async () => {
    const models = new Models();
    await expect(models.generate('hi')).rejects.toMatchObject({
      name: 'ModelBackendNotFoundError',
      statusCode: 500,
    });
    models.registerBackend(
      'generative',
      'default',
      models.defineBackend({ name: 'plain', generate: async () => ({ status: 'completed', output: stop }) }),
    );
    await expect(models.generate('hi')).resolves.toEqual(stop);
    const tools = [{ name: 't', description: 't', parameters: {} }];
    await expect(models.generate({ messages: [], tools })).rejects.toMatchObject({
      name: 'ModelCapabilityError',
    });
    await expect(models.generate('hi', { requires: ['constructor'] })).rejects.toMatchObject({
      name: 'ModelCapabilityError',
    });
  });

  it('tries the fallback group in order and throws the first error when all fail', async () => {
    const models = new Models();
    const failing = (name: string) =>
      models.defineBackend({
        name,
        generate: async () => {
          throw new Error(name);
        },
      });
    models.registerBackend('generative', 'default', failing('first'));
    models.registerBackend('generative', 'second', failing('second'));
    models.setFallback('generative', 'default', ['second', 'missing']);
    await expect(models.generate('hi')).rejects.toThrow('first');
    models.registerBackend(
      'generative',
      'second',
      models.defineBackend({ name: 'ok', generate: async () => ({ status: 'completed', output: stop }) }),
    );
    await expect(models.generate('hi')).resolves.toEqual(stop);
  });

  it('refuses a pending answer', async () => {
    const models = new Models();
    models.registerBackend(
      'generative',
      'default',
      models.defineBackend({ name: 'slow', generate: async () => ({ status: 'pending', operationId: '1' }) }),
    );
    await expect(models.generate('hi')).rejects.toMatchObject({ name: 'ModelPendingNotSupportedError' });
  });
});

describe('toolMode auto', () => {
  it('runs the tools of each reply and sends their results, until a reply calls none', async () => {
    const { models, seen, rows } = modelsWith(calls(call('1', 'add', { a: 1 })), stop);
    const handler = (args: object) => ({ got: args });
    const turns: unknown[] = [];
    const conversation = { append: async (turn: unknown) => void turns.push(turn) };
    const result = await models.generate('hi', {
      toolMode: 'auto',
      toolHandlers: { add: handler },
      conversation,
      includeToolTrace: true,
      maxTokens: 9,
    });
    expect(result).toMatchObject({
      content: 'done',
      trace: [{ iteration: 0, toolCallId: '1', toolName: 'add', result: '{"got":{"a":1}}' }],
    });
    expect(messagesOf(seen[1]?.input)).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: '', toolCalls: [call('1', 'add', { a: 1 })] },
      { role: 'tool', toolCallId: '1', content: '{"got":{"a":1}}' },
    ]);
    expect(turns).toHaveLength(3);
    expect(Object.keys(seen[0]?.options ?? {}).sort()).toEqual(['maxTokens', 'signal']);
    expect(rows).toHaveLength(2);
  });

  it('asks `this` for every round, and works on an object that only inherits from it', async () => {
    const { models, seen } = modelsWith();
    const asked: GenerateOptions[] = [];
    const relay: Models = Object.create(models, {
      generate: {
        value: async (_input: GenerateInput, options: GenerateOptions) => {
          asked.push(options);
          return asked.length === 1 ? calls(call('1')) : stop;
        },
      },
    });
    await Models.prototype.generate.call(relay, 'run', {
      toolMode: 'auto',
      model: 'nobody',
      toolHandlers: { tool: () => null },
    });
    expect(asked.map(({ toolMode }) => toolMode)).toEqual(['return', 'return']);
    expect(asked[0]).not.toHaveProperty('toolHandlers');
    expect(seen).toHaveLength(0);
  });

  it('looks handlers up as own properties, and tells the model of names there are none for', async () => {
    const { models, seen } = modelsWith(
      calls(call('1', 'constructor'), call('2', '__proto__'), call('3', 'nope')),
      stop,
    );
    await models.generate('hi', { toolMode: 'auto', toolHandlers: {} });
    const results = messagesOf(seen[1]?.input).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual(
      ['constructor', '__proto__', 'nope'].map((name) =>
        JSON.stringify({ error: { name: 'Error', message: `There is no tool '${name}'` } }),
      ),
    );
  });

  it('fails with 400 when a declared tool is called that has no handler', async () => {
    const { models } = modelsWith(calls(call('1', 't')));
    const tools = [{ name: 't', description: 't', parameters: {} }];
    await expect(models.generate({ messages: [], tools }, { toolMode: 'auto' })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  it('runs the calls of a round together, or one after another when told to', async () => {
    for (const toolParallelism of ['parallel', 'serial'] as const) {
      const { models } = modelsWith(calls(call('1'), call('2')), stop);
      let [running, most] = [0, 0];
      const tool = async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      };
      await models.generate('hi', { toolMode: 'auto', toolHandlers: { tool }, toolParallelism });
      expect(most).toBe(toolParallelism === 'parallel' ? 2 : 1);
    }
  });

  it('throws BudgetExceededError after the last allowed round, its tools run', async () => {
    const { models, seen } = modelsWith(...Array.from({ length: 20 }, () => calls(call('1'))));
    let ran = 0;
    const failed = models.generate('hi', {
      toolMode: 'auto',
      toolHandlers: { tool: () => ++ran },
      maxToolIterations: 3,
    });
    const error = await failed.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BudgetExceededError);
    expect(error).toMatchObject({ kind: 'iterations', statusCode: 429, partialTrace: [{}, {}, {}] });
    expect([ran, seen.length]).toEqual([3, 3]);
    await expect(
      models.generate('hi', { toolMode: 'auto', toolHandlers: { tool: () => 1 } }),
    ).rejects.toMatchObject({ kind: 'iterations' });
    expect(seen).toHaveLength(13);
    await expect(models.generate('hi', { toolMode: 'auto', maxToolIterations: 0 })).rejects.toMatchObject({
      kind: 'iterations',
    });
    expect(seen).toHaveLength(13);
  });

  it('ends on the token budget, and on a cost budget of nothing', async () => {
    const { models } = modelsWith(stop, stop);
    await expect(models.generate('hi', { toolMode: 'auto', maxToolTokens: 15 })).rejects.toMatchObject({
      kind: 'tokens',
    });
    await expect(models.generate('hi', { toolMode: 'auto', maxCostUsd: 0 })).rejects.toMatchObject({
      kind: 'cost',
    });
  });

  it('turns a failed tool into a result, or into ToolHandlerError in abort mode', async () => {
    const boom = new Error('boom');
    const tool = () => Promise.reject(boom);
    const { models, seen } = modelsWith(calls(call('1')), stop, calls(call('1')));
    await models.generate('hi', { toolMode: 'auto', toolHandlers: { tool } });
    expect(messagesOf(seen[1]?.input).at(-1)?.content).toContain('boom');
    const error = await models
      .generate('hi', { toolMode: 'auto', toolHandlers: { tool }, toolErrorMode: 'abort' })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ToolHandlerError);
    expect(error).toMatchObject({ cause: boom });
  });

  it('cuts results on a character boundary, marker included in the limit', async () => {
    const { models, seen } = modelsWith(calls(call('1')), stop);
    await models.generate('hi', {
      toolMode: 'auto',
      toolHandlers: { tool: () => '😀'.repeat(100) },
      toolResultMaxBytes: 101,
    });
    const content = messagesOf(seen[1]?.input).at(-1)?.content ?? '';
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(101);
    expect(content).toMatch(/^"😀+…\[truncated; full result is 402 bytes\]$/u);
  });

  it('ends with the reason of the signal, makes no further call, and aborts handlers', async () => {
    const { models, seen } = modelsWith(calls(call('1')), stop);
    const controller = new AbortController();
    const reason = { why: 'cancelled' };
    let handlerSignal: AbortSignal | undefined;
    const tool = async (_args: object, context: { signal: AbortSignal }) => {
      handlerSignal = context.signal;
      controller.abort(reason);
      return null;
    };
    const failed = models.generate('hi', {
      toolMode: 'auto',
      toolHandlers: { tool },
      signal: controller.signal,
    });
    await expect(failed).rejects.toBe(reason);
    expect(handlerSignal?.aborted).toBe(true);
    expect(seen).toHaveLength(1);
  });

  it('hands on the very error of the model, and refuses argument validation with 501', async () => {
    const overflow = Object.assign(new Error('too long'), { contextWindowExceeded: true });
    const { models } = modelsWith(() => Promise.reject(overflow));
    await expect(models.generate('hi', { toolMode: 'auto' })).rejects.toBe(overflow);
    await expect(
      models.generate('hi', { toolMode: 'auto', toolArgValidation: 'strict' }),
    ).rejects.toMatchObject({ statusCode: 501 });
  });
});
