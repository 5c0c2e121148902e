import { autoLoop } from './auto-loop.js';
import {
  ModelBackendNotFoundError,
  ModelBackendRegistrationError,
  ModelCapabilityError,
  ModelPendingNotSupportedError,
} from './model-errors.js';
import type {
  BackendKind,
  BackendOptions,
  DefineBackendSpec,
  GenerateInput,
  GenerateOptions,
  GenerateResult,
  ModelBackend,
  TokenUsage,
} from './model-types.js';

/** One call of a backend, for whoever counts them. Harper keeps a row of these in `system.hdb_model_calls`. */
export interface ModelCallRow {
  readonly model: string;
  readonly backend: string;
  readonly method: 'generate';
  readonly conversationId?: string;
  readonly usage?: TokenUsage;
  readonly latencyMs: number;
  readonly success: boolean;
}

export interface ModelsOptions {
  readonly onCall?: (row: ModelCallRow) => void;
}

/** A stand-in for Harper's `models`: registration, fallback groups, and `generate` in both tool modes. */
export class Models {
  readonly #backends = new Map<string, ModelBackend>();
  readonly #fallbacks = new Map<string, readonly string[]>();
  readonly #onCall: ModelsOptions['onCall'];

  constructor(options: ModelsOptions = {}) {
    this.#onCall = options.onCall;
  }

  /** Serves a logical name with a backend; one registered before under it is replaced. */
  registerBackend(kind: BackendKind, id: string, backend: ModelBackend): void {
    if (typeof backend?.name !== 'string' || typeof backend.capabilities !== 'function') {
      throw new ModelBackendRegistrationError(`The ${kind} backend '${id}' needs a name and capabilities()`);
    }
    if (kind === 'generative' && typeof backend.generate !== 'function') {
      throw new ModelBackendRegistrationError(`The generative backend '${id}' needs generate()`);
    }
    this.#backends.set(`${kind}:${id}`, backend);
  }

  /** Names that are tried, in order, when the backend of `id` fails. */
  setFallback(kind: BackendKind, id: string, names: readonly string[]): void {
    this.#fallbacks.set(`${kind}:${id}`, names);
  }

  /** Makes a backend of the functions given; without `tools: true` it refuses requests that declare tools. */
  defineBackend(spec: DefineBackendSpec): ModelBackend {
    const { name, generate, tools = false, adapters = false } = spec;
    const capabilities = { embed: false, generate: generate !== undefined, stream: false, tools, adapters };
    return { name, capabilities: () => capabilities, ...(generate !== undefined && { generate }) };
  }

  /**
   * One call of a model, or with `toolMode: 'auto'` a whole loop of them. The loop asks `this.generate` for every
   * round and reads nothing else of `this`, so an object that only inherits from a `Models` may stand in for it.
   */
  async generate(input: GenerateInput, options: GenerateOptions = {}): Promise<GenerateResult> {
    if (options.toolMode === 'auto') return autoLoop(this, input, options);
    return this.#generateOnce(input, options);
  }

  async #generateOnce(input: GenerateInput, options: GenerateOptions): Promise<GenerateResult> {
    const model = options.model ?? 'default';
    const candidates = this.#candidates(model, [...requiredBy(input), ...(options.requires ?? [])]);
    let first: { readonly error: unknown } | undefined;
    for (const backend of candidates) {
      options.signal?.throwIfAborted();
      try {
        return await this.#call(model, backend, input, options);
      } catch (error) {
        first ??= { error };
        if (options.signal?.aborted === true) break;
      }
    }
    throw first?.error;
  }

  #candidates(model: string, required: readonly string[]): readonly ModelBackend[] {
    const names = [model, ...(this.#fallbacks.get(`generative:${model}`) ?? [])];
    const found = names.flatMap((name) => this.#backends.get(`generative:${name}`) ?? []);
    if (found.length === 0) throw new ModelBackendNotFoundError('generative', model);
    const able = found.filter((backend) => required.every((capability) => has(backend, capability)));
    if (able.length === 0) throw new ModelCapabilityError(model, required);
    return able;
  }

  async #call(
    model: string,
    backend: ModelBackend,
    input: GenerateInput,
    options: GenerateOptions,
  ): Promise<GenerateResult> {
    const started = performance.now();
    let usage: TokenUsage | undefined;
    let success = false;
    try {
      const result = await backend.generate?.(input, forBackend(options));
      if (result === undefined) throw new ModelCapabilityError(model, ['generate']);
      if (result.status !== 'completed') throw new ModelPendingNotSupportedError(backend.name);
      ({ usage } = result);
      success = true;
      return usage === undefined ? result.output : { ...result.output, usage };
    } finally {
      this.#onCall?.({
        model,
        backend: backend.name,
        method: 'generate',
        ...(options.conversationId !== undefined && { conversationId: options.conversationId }),
        ...(usage !== undefined && { usage }),
        latencyMs: performance.now() - started,
        success,
      });
    }
  }
}

function requiredBy(input: GenerateInput): readonly string[] {
  const tools = typeof input === 'object' && 'tools' in input ? input.tools : undefined;
  return tools !== undefined && tools.length > 0 ? ['generate', 'tools'] : ['generate'];
}

function has(backend: ModelBackend, capability: string): boolean {
  const capabilities: Readonly<Record<string, boolean>> = { ...backend.capabilities() };
  return Object.hasOwn(capabilities, capability) && capabilities[capability] === true;
}

function forBackend(options: GenerateOptions): BackendOptions {
  const { requires, adapter, temperature, maxTokens, responseFormat, conversationId, signal } = options;
  return {
    ...(requires !== undefined && { requires }),
    ...(adapter !== undefined && { adapter }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(responseFormat !== undefined && { responseFormat }),
    ...(conversationId !== undefined && { conversationId }),
    ...(signal !== undefined && { signal }),
  };
}
