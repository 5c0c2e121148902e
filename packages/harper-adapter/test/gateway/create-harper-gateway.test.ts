import type { Rounds, ToolCall } from '@harperfast/agent-core/contracts';
import { RunStopped } from '@harperfast/agent-core/contracts';
import { ScriptedModel, calls, harperBackend, reply } from '@harperfast/agent-testkit';
import { CONFORMANCE_MODELS, describeModelGateway } from '@harperfast/agent-testkit/conformance';
import { Models } from '@harperfast/agent-testkit/host';
import { describe, expect, it } from 'vitest';
import { createHarperGateway } from '../../src/gateway/create-harper-gateway.js';
import { relaysRounds } from '../../src/gateway/relays-rounds.js';
import type { LoopOptions } from '../support/looping-models.js';
import { LoopingModels } from '../support/looping-models.js';

const HOSTS: readonly (readonly [string, LoopOptions, boolean])[] = [
  ['a host that relays', {}, true],
  ['a host that copies arguments', { copiesArguments: true }, true],
  ['a host that caps the rounds of its loop', { mostRounds: 3 }, true],
  ['a host whose loop does not come back', { deaf: true }, false],
  ['a host without a loop', { noLoop: true }, false],
];

for (const [name, options] of HOSTS) {
  describeModelGateway(`harper gateway on ${name}`, async (model) => ({
    gateway: createHarperGateway(new LoopingModels(model, CONFORMANCE_MODELS, options)),
  }));
}

describeModelGateway("harper gateway on the stand-in's models", async (model) => {
  const models = new Models();
  for (const name of CONFORMANCE_MODELS) {
    models.registerBackend('generative', name, Object(harperBackend(model, name)));
  }
  return { gateway: createHarperGateway(Object(models)) };
});

/** Rounds without an engine: hands every call of a reply to `onCall`. */
function rounds(
  maxRounds: number,
  onCall: (call: ToolCall) => Promise<string> | string,
): Rounds & { requests: number } {
  const signal = new AbortController().signal;
  const self = {
    signal,
    maxRounds,
    requests: 0,
    async request() {
      if (self.requests === maxRounds) throw new RunStopped('max_turns');
      self.requests++;
      return {
        system: 's',
        messages: [{ role: 'user' as const, content: 'go' }],
        tools: [],
        maxTokens: 10,
        conversationId: 'c',
      };
    },
    async record({ toolCalls }: { readonly toolCalls?: readonly { readonly name: string }[] }) {
      return (toolCalls ?? []).map(({ name }, index) => ({
        id: `${self.requests}.${index}`,
        name,
        arguments: {},
      }));
    },
    callTool: async (call: ToolCall) => onCall(call),
  };
  return self;
}

describe('createHarperGateway', () => {
  it.each(HOSTS)('finds out about %s without a model call', async (_name, options, expected) => {
    const models = new LoopingModels(new ScriptedModel([]), ['default'], options);
    expect(await relaysRounds(models)).toBe(expected);
    expect(models.calls).toBe(0);
  });

  it('lets the engine end a run, also where the host counts fewer rounds', async () => {
    const model = new ScriptedModel(() => calls({ name: 'look', arguments: {} }), { anyTranscript: true });
    const models = new LoopingModels(model, ['default'], { mostRounds: 4 });
    const run = createHarperGateway(models).run(rounds(10, () => 'seen'));
    await expect(run).rejects.toMatchObject({ reason: 'max_turns' });
    expect(models.calls).toBe(10);
  });

  it('still gives every call of a round to the engine where the host runs them one by one', async () => {
    const model = new ScriptedModel(
      [calls({ name: 'a', arguments: {} }, { name: 'b', arguments: {} }), reply('done')],
      {
        anyTranscript: true,
      },
    );
    const seen: string[] = [];
    const models = new LoopingModels(model, ['default'], { serial: true });
    await createHarperGateway(models).run(rounds(5, (call) => String(seen.push(call.name))));
    expect(seen).toEqual(['a', 'b']);
    model.assertDone();
  });

  it('does not take an error of a backend for the cap of the loop', async () => {
    const nested = Object.assign(new Error('nested loop'), {
      name: 'BudgetExceededError',
      kind: 'iterations',
    });
    const model = new ScriptedModel(() => {
      throw nested;
    });
    const run = createHarperGateway(new LoopingModels(model, ['default'])).run(rounds(5, () => ''));
    await expect(run).rejects.toBe(nested);
    expect(model.requestCount).toBe(1);
  });

  it('fails loudly where the host leaves calls undone or ends early, instead of going on without results', async () => {
    const model = new ScriptedModel(() => calls({ name: 'a', arguments: {} }));
    const deaf = new LoopingModels(model, ['default']);
    const forgetful = {
      async generate(this: LoopingModels, input: unknown, options: Readonly<Record<string, unknown>> = {}) {
        if (options['toolMode'] !== 'auto') return deaf.generate(input, options);
        await this.generate(input, { ...options, toolMode: 'return' });
        return options['maxToolIterations'] === 1
          ? { content: '' }
          : this.generate(input, { ...options, toolMode: 'return' });
      },
    };
    const called: string[] = [];
    const run = createHarperGateway(Object(forgetful)).run(rounds(5, (call) => String(called.push(call.id))));
    await expect(run).rejects.toMatchObject({ code: 'host_loop' });
    expect(called).toEqual([]);
    expect(model.requestCount).toBe(1);
  });

  it('leaves no listener behind on the signal of a long session', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const count = (method: 'addEventListener' | 'removeEventListener', step: number) => {
      const original: unknown = Reflect.get(signal, method);
      const counting = (...given: unknown[]) => {
        listeners += step;
        if (typeof original === 'function') Reflect.apply(original, signal, given);
      };
      Reflect.set(signal, method, counting);
    };
    count('addEventListener', 1);
    count('removeEventListener', -1);
    const model = new ScriptedModel(() => reply('hi'));
    const gateway = createHarperGateway(new LoopingModels(model, ['default']));
    for (let run = 0; run < 50; run++) await gateway.run({ ...rounds(2, () => ''), signal });
    expect(model.requestCount).toBe(50);
    expect(listeners).toBe(0);
  });
});
