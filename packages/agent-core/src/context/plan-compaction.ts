import type { ModelMessage, TokenCounter } from '../contracts/index.js';
import type { SessionState } from '../session/state.js';
import { countMessage } from './count-tokens.js';

/** Which messages a summary takes the place of. */
export interface Compaction {
  readonly older: readonly ModelMessage[];
  /** The summary stands for all messages up to this seq. */
  readonly upTo: number;
}

/**
 * Where to cut: as much as fits `keepTokens` stays as it is. Never between a call and its results, and never so that
 * nothing or only a summary would be cut off; `undefined` when there is no such place.
 */
export function planCompaction(
  state: SessionState,
  counter: TokenCounter,
  keepTokens: number,
): Compaction | undefined {
  const messages = state.messages.view();
  const seqs = state.messageSeqs.view();
  let kept = 0;
  let cut: number | undefined;
  for (let index = messages.length - 1; index > 1; index--) {
    const message = messages[index];
    if (message === undefined) break;
    kept += countMessage(counter, message);
    if (kept > keepTokens && cut !== undefined) break;
    const startsRound = message.role !== 'tool' && (seqs[index] ?? 0) > (seqs[index - 1] ?? 0);
    if (startsRound) cut = index;
  }
  const upTo = cut === undefined ? undefined : seqs[cut - 1];
  return cut === undefined || upTo === undefined ? undefined : { older: messages.slice(0, cut), upTo };
}
