/** US dollars per million tokens: the same number is micro-dollars per token. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For prompt tokens the provider had cached; absent means the full input price. */
  readonly cachedInput?: number;
  /** For prompt tokens the provider wrote to its cache; absent means the full input price. */
  readonly cacheWriteInput?: number;
}

/** Knows what models cost. */
export interface PriceBook {
  /** The dearest price a call to this logical model can have; `undefined` when it is not known. */
  price(model: string | undefined): Price | undefined;
}

/** Estimates tokens; settled against the provider's own count after each call. */
export interface TokenCounter {
  count(text: string): number;
}
