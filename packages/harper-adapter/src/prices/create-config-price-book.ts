import type { Price, PriceBook } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { fieldsOf } from '../fields-of.js';

const entrySchema = z.object({
  backend: z.string().optional(),
  model: z.string().optional(),
  fallback: z.array(z.string()).optional().catch(undefined),
});

const FREE: Price = { input: 0, output: 0 };

/**
 * Prices models from the operator's `agent.prices`, by logical name or by the provider's model name. A logical name
 * costs what the dearest member of its fallback group costs, and is unpriced when one member is. Models that
 * `ollama` runs cost nothing. `hostConfig` is read at each call: the host's models may change while it runs.
 */
export function createConfigPriceBook(
  prices: Readonly<Record<string, { input: number; output: number; cachedInput?: number | undefined }>>,
  hostConfig: () => unknown,
): PriceBook {
  function priceOfMember(name: string, entry: z.infer<typeof entrySchema> | undefined): Price | undefined {
    for (const key of [name, entry?.model]) {
      const given = key !== undefined && Object.hasOwn(prices, key) ? prices[key] : undefined;
      if (given !== undefined) return toPrice(given);
    }
    return entry?.backend === 'ollama' ? FREE : undefined;
  }

  return {
    price(model = 'default') {
      const { models } = fieldsOf(hostConfig(), ['models']);
      const { generative } = fieldsOf(models, ['generative']);
      const entryOf = (name: string) => entrySchema.safeParse(fieldsOf(generative, [name])[name]).data;
      const group = [...new Set([model, ...(entryOf(model)?.fallback ?? [])])];
      const members = group.map((name) => priceOfMember(name, entryOf(name)));
      return members.reduce(dearest);
    },
  };
}

function toPrice({
  input,
  output,
  cachedInput,
}: {
  input: number;
  output: number;
  cachedInput?: number | undefined;
}): Price {
  return { input, output, ...(cachedInput === undefined ? {} : { cachedInput }) };
}

function dearest(a: Price | undefined, b: Price | undefined): Price | undefined {
  if (a === undefined || b === undefined) return undefined;
  return {
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
    cachedInput: Math.max(a.cachedInput ?? a.input, b.cachedInput ?? b.input),
  };
}
