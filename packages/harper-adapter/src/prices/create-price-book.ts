import type { Price, PriceBook } from '@harperfast/agent-core/contracts';
import type { AgentConfig } from '../config.js';
import type { ListPrices } from './load-list-prices.js';
import { definedFields } from '../defined-fields.js';
import { dearest } from './dearest.js';
import { readModelEntry } from './model-entry.js';

const FREE: Price = { input: 0, output: 0 };

/** Where prices come from. */
export interface PriceSources {
  /** The operator's own (`agent.prices`), by logical name or by the provider's model name; they come first. */
  readonly own: AgentConfig['prices'];
  readonly list: ListPrices;
  /** Read at each call: the host's models may change while it runs. */
  readonly hostConfig: () => unknown;
}

/**
 * Prices the host's logical model names. One costs what the dearest member of its fallback group costs, and is
 * unpriced when one member is. Models on `ollama` cost nothing; a backend that is a module has only the price the
 * operator gives it.
 */
export function createPriceBook({ own, list, hostConfig }: PriceSources): PriceBook {
  function ownPrice(name: string | undefined): Price | undefined {
    if (name === undefined || !Object.hasOwn(own, name)) return undefined;
    const given = own[name];
    return (
      given && {
        input: given.input,
        output: given.output,
        ...definedFields({ cachedInput: given.cachedInput, cacheWriteInput: given.cacheWriteInput }),
      }
    );
  }

  function priceOfMember(name: string): Price | undefined {
    const entry = readModelEntry(hostConfig(), name);
    const given = ownPrice(name) ?? ownPrice(entry?.model);
    if (given !== undefined || entry === undefined) return given;
    return entry.backend === 'ollama' ? FREE : list.priceOf(entry);
  }

  return {
    price(model = 'default') {
      const fallback = readModelEntry(hostConfig(), model)?.fallback ?? [];
      return [...new Set([model, ...fallback])].map(priceOfMember).reduce(dearest);
    },
  };
}
