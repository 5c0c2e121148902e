import type { Price } from '../contracts/index.js';
import { costMicros } from './money.js';

/** Below this many output tokens a call is not worth its input. */
export const USEFUL_OUTPUT_TOKENS = 256;

export interface Reservation {
  readonly maxTokens: number;
  readonly micros: number;
  /** The budget allows fewer output tokens than were asked for. */
  readonly lowered: boolean;
}

/**
 * Reserves the worst case of one call: all of `promptTokens` at the dearest price that input has and `maxTokens` of output. Lowers
 * `maxTokens` to what still fits; gives nothing when not even a useful reply does.
 */
export function reserve(call: {
  readonly price: Price;
  readonly promptTokens: number;
  readonly maxTokens: number;
  readonly remainingMicros: number;
}): Reservation | undefined {
  const { price, promptTokens, maxTokens, remainingMicros } = call;
  const worstCase = (tokens: number): number => {
    const dearestInput = Math.max(price.input, price.cachedInput ?? 0, price.cacheWriteInput ?? 0);
    return costMicros(
      { input: dearestInput, output: price.output },
      { promptTokens, completionTokens: tokens },
    );
  };
  const full = worstCase(maxTokens);
  if (full <= remainingMicros) return { maxTokens, micros: full, lowered: false };
  if (price.output <= 0) return undefined;
  const fitting = Math.floor((remainingMicros - worstCase(0)) / price.output);
  if (fitting < Math.min(USEFUL_OUTPUT_TOKENS, maxTokens)) return undefined;
  return { maxTokens: fitting, micros: worstCase(fitting), lowered: true };
}
