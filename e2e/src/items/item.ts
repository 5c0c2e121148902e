import type { Verification } from '../support/verification.js';

/** One of the checks V1 to V8 of the mission. */
export interface Item {
  readonly name: string;
  /** Resolves with what was seen, in one line, and rejects with what is wrong. */
  run(verification: Verification): Promise<string>;
}
