import type { Price, Usage } from '../contracts/index.js';

/** US dollars as whole micro-dollars, rounded down: a cap never grows by rounding. */
export function toMicros(usd: number): number {
  return Math.floor(usd * 1_000_000 + 1e-6);
}

export function toUsd(micros: number): number {
  return micros / 1_000_000;
}

/** What a call costs in micro-dollars, rounded up. A price per million tokens in dollars is micro-dollars per token. */
export function costMicros(price: Price, usage: Usage): number {
  const { cachedPromptTokens: cached = 0, cacheWritePromptTokens: written = 0 } = usage;
  const fresh = usage.promptTokens - cached - written;
  const cost =
    fresh * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWriteInput ?? price.input) +
    usage.completionTokens * price.output;
  // A product such as 3 × 0.1 is a hair above the true value; rounding that up would invent a micro-dollar. The hair grows
  // with the amount, and stays far below any fraction that prices have.
  return Math.ceil(cost - Math.max(1e-9, cost * 8 * Number.EPSILON));
}
