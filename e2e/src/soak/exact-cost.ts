/** Dollars per million tokens, with at most six decimals. */
export interface ExactPrice {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly cacheWriteInput?: number;
}

export interface ExactUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens?: number;
  readonly cacheWritePromptTokens?: number;
}

const SCALE = 1_000_000;

/** What a call costs in millionths of a micro-dollar, without any rounding. */
export function exactMillionths(
  price: ExactPrice,
  { promptTokens, completionTokens, cachedPromptTokens = 0, cacheWritePromptTokens = 0 }: ExactUsage,
): bigint {
  const scaled = (value: number): bigint => BigInt(Math.round(value * SCALE));
  const fresh = promptTokens - cachedPromptTokens - cacheWritePromptTokens;
  return (
    BigInt(fresh) * scaled(price.input) +
    BigInt(cachedPromptTokens) * scaled(price.cachedInput ?? price.input) +
    BigInt(cacheWritePromptTokens) * scaled(price.cacheWriteInput ?? price.input) +
    BigInt(completionTokens) * scaled(price.output)
  );
}

/** What a call costs in whole micro-dollars, rounded up; worked out in integers, unlike in the engine. */
export function exactCost(price: ExactPrice, usage: ExactUsage): number {
  const millionths = exactMillionths(price, usage);
  return Number((millionths + BigInt(SCALE - 1)) / BigInt(SCALE));
}
