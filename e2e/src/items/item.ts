import type { Ledger } from '../support/ledger.js';

/** One of the checks V1 to V8 of the mission. */
export type Item = RunnableItem | PlannedItem;

/** `run` resolves with what was seen, in one line, and rejects with what is wrong. */
export interface RunnableItem {
  readonly name: string;
  run(ledger: Ledger): Promise<string>;
}

/** A check of something that does not exist yet. */
export interface PlannedItem {
  readonly name: string;
  readonly notYet: string;
}

export function isPlanned(item: Item): item is PlannedItem {
  return 'notYet' in item;
}
