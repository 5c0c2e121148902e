import type { Entry, PromptEntry, RoundEntry, Usage } from '@harperfast/agent-core';
import { exactCost } from '../exact-cost.js';
import type { ExactPrice } from '../exact-cost.js';
import { Violation } from '../violation.js';

/** A model call that is under way: what it was allowed, and what its provider is going to report. */
export interface CallUnderWay {
  readonly capMicros: number;
  readonly maxTokens: number;
  readonly usage: Partial<Usage> | undefined;
}

/** Books of one session, kept apart from the engine's and in whole numbers only. */
export class AuditedSession {
  readonly #price: ExactPrice;
  spent = 0;
  calls = 0;
  overruns = 0;
  refused = 0;
  #ofRun = 0;
  #runCap = Number.POSITIVE_INFINITY;
  #running = false;
  #underWay: CallUnderWay | undefined;

  constructor(price: ExactPrice) {
    this.#price = price;
  }

  /** A model call starts. Throws a `Violation` when its output alone may cost more than is left. */
  start(call: CallUnderWay): void {
    if (this.#underWay !== undefined) throw new Violation('two model calls of one session are under way');
    const output = exactCost(this.#price, { promptTokens: 0, completionTokens: call.maxTokens });
    if (this.spent + output > call.capMicros || this.#ofRun + output > this.#runCap) {
      throw new Violation(
        `a call of up to ${output} micro-dollars starts with ${this.spent} of ${call.capMicros} spent`,
      );
    }
    this.#underWay = call;
    this.calls++;
  }

  add(entry: Entry): void {
    if (entry.kind === 'prompt') this.#prompt(entry);
    if (entry.kind === 'round') this.#round(entry);
    if (entry.kind === 'end') {
      this.#running = false;
      if (entry.reason === 'budget') this.refused++;
    }
  }

  #prompt({ maxCostMicros }: PromptEntry): void {
    if (this.#running) return;
    this.#running = true;
    this.#ofRun = 0;
    this.#runCap = maxCostMicros ?? Number.POSITIVE_INFINITY;
  }

  #round({
    costMicros,
    reservedMicros,
    overrun,
    usage,
    usageEstimated,
    estimatedPromptTokens,
  }: RoundEntry): void {
    const call = this.#underWay;
    if (call === undefined) throw new Violation('a reply was booked that nobody gave');
    this.#underWay = undefined;
    if (this.spent + reservedMicros > call.capMicros) {
      throw new Violation(
        `${this.spent} spent and ${reservedMicros} reserved exceed the cap of ${call.capMicros}`,
      );
    }
    if (this.#ofRun + reservedMicros > this.#runCap) {
      throw new Violation(
        `${this.#ofRun} spent by the run and ${reservedMicros} reserved exceed its cap of ${this.#runCap}`,
      );
    }
    const { input, output, cachedInput = input } = this.#price;
    // Estimates are corrected by what was reported, to a third at the lowest.
    const promptTokens = Math.floor(estimatedPromptTokens * 0.32);
    const dearest = { input: Math.max(input, cachedInput), output };
    const least = exactCost(dearest, { promptTokens, completionTokens: call.maxTokens });
    if (reservedMicros < least)
      throw new Violation(`${reservedMicros} are reserved for a call that may cost ${least}`);
    if (estimatedPromptTokens <= 0) throw new Violation('a call is estimated to send nothing');
    const due = exactCost(this.#price, usageEstimated ? usage : { ...usage, ...call.usage });
    if (costMicros !== due) throw new Violation(`a call that costs ${due} is booked as ${costMicros}`);
    if ((overrun === true) !== costMicros > reservedMicros) {
      throw new Violation(
        `${costMicros} of ${reservedMicros} reserved, and the mark says ${String(overrun)}`,
      );
    }
    this.spent += costMicros;
    this.#ofRun += costMicros;
    if (overrun) this.overruns++;
    else if (this.spent > call.capMicros)
      throw new Violation(`${this.spent} of ${call.capMicros} micro-dollars are spent`);
  }
}
