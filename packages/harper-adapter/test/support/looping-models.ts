import type { ScriptedModel } from '@harperfast/agent-testkit';
import { harperBackend } from '@harperfast/agent-testkit';
import type { HarperModels } from '../../src/host.js';

/** How a host's own loop of rounds and tools behaves; hosts of different ages differ in these. */
export interface LoopOptions {
  /** Handlers run one after another, whatever `toolParallelism` says. */
  readonly serial?: boolean;
  /** Handlers get a copy of the arguments. */
  readonly copiesArguments?: boolean;
  /** Rounds after which the loop gives up, however many were asked for. */
  readonly mostRounds?: number;
  /** The loop calls the models itself instead of `this.generate`. */
  readonly deaf?: boolean;
  /** Mode `auto` is not known. */
  readonly noLoop?: boolean;
}

type Handler = (given: unknown, context: object) => unknown;

/** A double of Harper's `models` with a loop of its own, in front of scripted models. */
export class LoopingModels implements HarperModels {
  readonly #backends: ReadonlyMap<string, ReturnType<typeof harperBackend>>;
  // Not private: the loop must touch no private member of its `this`, which may be a relay.
  readonly loop: LoopOptions;
  /** Model calls that reached a backend. */
  calls = 0;

  constructor(model: ScriptedModel, names: readonly string[], options: LoopOptions = {}) {
    this.#backends = new Map(names.map((name) => [name, harperBackend(model, name)]));
    this.loop = options;
    if (options.deaf === true) this.generate = this.generate.bind(this);
  }

  async generate(input: unknown, given: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    if (given['toolMode'] !== 'auto') return this.#once(input, given);
    const { serial, copiesArguments, mostRounds, noLoop } = this.loop;
    if (noLoop === true)
      throw Object.assign(new Error('toolMode auto is not implemented'), { statusCode: 501 });
    const handlers = new Map(Object.entries(Object(given['toolHandlers'])));
    const rounds = Math.min(Number(given['maxToolIterations']), mostRounds ?? Infinity);
    for (let round = 0; round < rounds; round++) {
      const options = {
        model: given['model'],
        requires: given['requires'],
        signal: given['signal'],
        toolMode: 'return',
      };
      const reply = Object(await this.generate(input, options));
      const calls: { name: string; arguments: object }[] = reply.toolCalls ?? [];
      if (reply.finishReason !== 'tool_calls' || calls.length === 0) return reply;
      const run = async (call: { name: string; arguments: object }) => {
        const handler = handlers.get(call.name);
        if (typeof handler !== 'function') return 'no such tool';
        const args = copiesArguments === true ? structuredClone(call.arguments) : call.arguments;
        return (handler as Handler)(args, { signal: given['signal'], accounting: {} });
      };
      if (serial === true) for (const call of calls) await run(call);
      else await Promise.all(calls.map(run));
    }
    throw Object.assign(new Error(`The loop reached its cap of ${rounds} rounds`), {
      name: 'BudgetExceededError',
      kind: 'iterations',
      statusCode: 429,
    });
  }

  async #once(input: unknown, given: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { model, requires, ...rest } = given;
    const backend = this.#backends.get(typeof model === 'string' ? model : 'default');
    if (backend === undefined || requires !== undefined)
      throw new Error(`No backend for the model '${String(model)}'`);
    this.calls++;
    const { output, usage } = await backend.generate(input, rest);
    return typeof output === 'object' && output !== null
      ? { ...output, ...(usage === undefined ? {} : { usage }) }
      : output;
  }
}
