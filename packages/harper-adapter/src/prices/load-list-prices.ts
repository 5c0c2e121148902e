import type { Price } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { ModelEntry } from './model-entry.js';
import { definedFields } from '../defined-fields.js';
import { dearest } from './dearest.js';

/** What providers charge for models; `undefined` for what is not listed. */
export interface ListPrices {
  priceOf(entry: ModelEntry): Price | undefined;
}

/** Harper's backends by the name the price list gives their provider. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['bedrock', 'aws'],
]);

const figure = z
  .union([z.number(), z.object({ base: z.number(), tiers: z.array(z.object({ price: z.number() })) })])
  // A long prompt can make a whole call dearer, and a reservation has to hold: the dearest tier counts.
  .transform((price) =>
    typeof price === 'number' ? price : Math.max(price.base, ...price.tiers.map((tier) => tier.price)),
  );

const figures = z
  .object({
    input_mtok: figure,
    output_mtok: figure,
    cache_read_mtok: figure.optional(),
    // For what is kept for the usual five minutes: usage does not tell how long, and nobody here asks for longer.
    cache_write_mtok: figure.optional(),
    requests_kcount: z.undefined().optional(),
  })
  .transform(({ input_mtok, output_mtok, cache_read_mtok, cache_write_mtok }): Price => ({
    input: input_mtok,
    output: output_mtok,
    ...definedFields({ cachedInput: cache_read_mtok, cacheWriteInput: cache_write_mtok }),
  }));

/**
 * Loads the list of prices that `@pydantic/genai-prices` brings. It is as old as the installed package: nothing is
 * ever fetched. Models are looked up at the provider of their backend, or of the address their requests go to.
 */
export async function loadListPrices(): Promise<ListPrices> {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices');
  return {
    priceOf({ backend = '', model, baseUrl }) {
      const providerId = PROVIDERS.get(backend);
      if (providerId === undefined || model === undefined || model === '') return undefined;
      // Another address is another provider, which may charge something else for a model of the same name.
      const provider = findProvider(baseUrl === undefined ? { providerId } : { providerApiUrl: baseUrl });
      const found = provider === undefined ? null : calcPrice({}, model, { provider });
      if (found === null) return undefined;
      const { prices } = found.model;
      const byHour = Array.isArray(prices)
        ? prices.filter(({ constraint }) => constraint?.type === 'time_of_date').map((item) => item.prices)
        : [];
      // A call may begin in one hour and be charged in another.
      return [found.model_price, ...byHour].map((price) => figures.safeParse(price).data).reduce(dearest);
    },
  };
}
