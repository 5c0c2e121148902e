import type { ModelReply } from '@harperfast/agent-core/contracts';
import { frozenSnapshot } from './frozen-snapshot.js';
import {
  MalformedTranscriptError,
  UnexpectedRequestError,
  UnusedStepsError,
} from './scripted-model-errors.js';
import type { ScriptStep, ScriptedRequest, Step, StepFunction } from './step.js';
import { transcriptFault } from './transcript-fault.js';

/** How a `ScriptedModel` treats what it is asked. */
export interface ScriptedModelOptions {
  /** Keep no request: for runs of thousands of rounds. Default: all are kept. */
  readonly keepRequests?: boolean;
  /** Accept transcripts that a strict provider would refuse. Default: they fail the call and `assertDone`. */
  readonly anyTranscript?: boolean;
}

interface Waiter {
  readonly count: number;
  readonly wake: () => void;
}

/**
 * A model that does what the test says: one step a request, by position, or whatever a function of the request says,
 * as often as it is asked. A request without a step fails, and `assertDone` fails on it again and on steps that were
 * not used.
 */
export class ScriptedModel {
  readonly #steps: readonly ScriptStep[] | undefined;
  readonly #script: StepFunction | undefined;
  readonly #options: ScriptedModelOptions;
  readonly #requests: ScriptedRequest[] = [];
  readonly #waiters = new Set<Waiter>();
  #asked = 0;
  #last: ScriptedRequest | undefined;
  #broken: { readonly error: unknown } | undefined;

  constructor(script: readonly ScriptStep[] | StepFunction, options: ScriptedModelOptions = {}) {
    if (typeof script === 'function') this.#script = script;
    else this.#steps = [...script];
    this.#options = options;
  }

  /** Every request so far, as it was when it came: deeply frozen, untouched by what the engine appends later. */
  get requests(): readonly ScriptedRequest[] {
    return this.#requests;
  }

  /** How often the model was asked. */
  get requestCount(): number {
    return this.#asked;
  }

  /** Takes one step. Rejects with what the step fails with, and with `signal.reason` when a hang is aborted. */
  async generate(request: ScriptedRequest, signal: AbortSignal): Promise<ModelReply> {
    const number = ++this.#asked;
    this.#remember(request);
    const step = await this.#decide(number, request, signal);
    if (step.kind === 'failure') throw step.error;
    if (step.kind === 'hang') return hang(step.ignoreAbort ? undefined : signal);
    // A script may answer what no honest model would; telling the engine so by its type would defeat the test.
    return step.answer as ModelReply;
  }

  /** Resolves when the model has been asked `count` times in all; rejects after `timeoutMs`. */
  async requested(count: number, timeoutMs = 5000): Promise<void> {
    if (this.#asked >= count) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(new Error(`The model was asked ${this.#asked} times in ${timeoutMs} ms, not ${count} times`));
      }, timeoutMs).unref();
      const waiter: Waiter = {
        count,
        wake: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiters.add(waiter);
    });
  }

  /**
   * Throws what went wrong while the model was asked, if anything did (`UnexpectedRequestError`,
   * `MalformedTranscriptError`, or what a step function threw), and `UnusedStepsError` when steps are left.
   */
  assertDone(): void {
    if (this.#broken) throw this.#broken.error;
    if (this.#steps && this.#asked < this.#steps.length) {
      throw new UnusedStepsError(this.#steps, this.#asked, this.#last);
    }
  }

  #remember(request: ScriptedRequest): void {
    const kept = this.#options.keepRequests === false ? request : frozenSnapshot(request);
    this.#last = kept;
    if (this.#options.keepRequests !== false) this.#requests.push(kept);
    for (const waiter of this.#waiters) {
      if (waiter.count > this.#asked) continue;
      this.#waiters.delete(waiter);
      waiter.wake();
    }
  }

  async #decide(number: number, request: ScriptedRequest, signal: AbortSignal): Promise<Step> {
    try {
      const fault = this.#options.anyTranscript ? undefined : transcriptFault(request.messages);
      if (fault !== undefined) throw new MalformedTranscriptError(fault, request);
      const step = this.#script ?? this.#steps?.[number - 1];
      if (step === undefined) {
        throw new UnexpectedRequestError(
          `The script has ${this.#steps?.length ?? 0} steps and this is request ${number}`,
          request,
        );
      }
      return typeof step === 'function' ? await step(request, signal) : step;
    } catch (error) {
      // A step that waits may give up with the reason of the abort: that is no fault of the script.
      if (!(signal.aborted && error === signal.reason)) this.#broken ??= { error };
      throw error;
    }
  }
}

function hang(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal === undefined) return;
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
