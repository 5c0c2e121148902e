import { Violation } from '../violation.js';

/** What held from which moment on. */
export class History<Value> {
  readonly #changes: { readonly at: number; readonly value: Value }[] = [];

  push(at: number, value: Value): void {
    this.#changes.push({ at, value });
  }

  get current(): Value {
    return this.at(Number.POSITIVE_INFINITY);
  }

  /** The value in force at a moment. */
  at(moment: number): Value {
    const found = this.#changes.findLast(({ at }) => at <= moment);
    if (found === undefined) throw new Violation(`Nothing was in force at ${moment}`);
    return found.value;
  }
}
