import type { GateSettings } from '@harperfast/agent-core';
import type { Caller, Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import type { OfferPlan } from './plan-offer.js';
import { planOffer } from './plan-offer.js';
import { searchTools } from './search-tools.js';

/** A provider, and how early its tools get a place in a request: the lowest rank first. */
export interface RankedProvider {
  readonly provider: ToolProvider;
  readonly rank: (tool: Tool) => number;
}

export interface OfferOptions {
  /** Tools a request may carry before any has been searched for. */
  readonly maxTools: number;
  /** The settings of this moment: what they withhold takes no place. The same object until one changes. */
  readonly settings: () => GateSettings;
}

type Listings = readonly PromiseSettledResult<readonly Tool[]>[];

/**
 * The same providers, with at most `maxTools` tools in every request: where there are more, the tools of the highest
 * ranks are deferred, and a further provider brings `search_tools`, which finds them. Each provider fails for itself.
 */
export function offerTools(
  ranked: readonly RankedProvider[],
  { maxTools, settings }: OfferOptions,
): readonly ToolProvider[] {
  let asking: Promise<{ readonly listings: Listings; readonly plan: OfferPlan }> | undefined;
  let last:
    | { readonly given: readonly Tool[]; readonly under: GateSettings; readonly plan: OfferPlan }
    | undefined;

  async function ask(caller: Caller) {
    const listings = await Promise.allSettled(ranked.map(async ({ provider }) => provider.tools(caller)));
    return { listings, plan: planOf(listings) };
  }

  function planOf(listings: Listings): OfferPlan {
    const lists = listings.map((listing) => (listing.status === 'fulfilled' ? listing.value : []));
    const given = lists.flat();
    const under = settings();
    if (last === undefined || last.under !== under || !equalTools(last.given, given)) {
      const sources = ranked.map(({ rank }, index) => ({ tools: lists[index] ?? [], rank }));
      last = { given, under, plan: planOffer(sources, { maxTools, settings: under }) };
    }
    return last.plan;
  }

  /**
   * The engine asks all providers at the same time, for the one user it acts as, and for many sessions in one turn of the
   * event loop: what was listed holds until the next.
   */
  function current(caller: Caller) {
    asking ??= ask(caller).finally(() => setImmediate(() => (asking = undefined)));
    return asking;
  }

  const search = searchTools(async (caller) => (await current(caller)).plan.findable);
  return [
    ...ranked.map(({ provider }, index): ToolProvider => ({
      name: provider.name,
      async tools(caller) {
        const { listings, plan } = await current(caller);
        const listing = listings[index];
        if (listing?.status === 'rejected') throw listing.reason;
        return plan.lists[index] ?? [];
      },
      sessionEnded: async (sessionId, why) => provider.sessionEnded?.(sessionId, why),
      close: () => provider.close(),
    })),
    {
      name: 'tool search',
      tools: async (caller) => ((await current(caller)).plan.findable.tools.length === 0 ? [] : [search]),
      close: async () => undefined,
    },
  ];
}

function equalTools(a: readonly Tool[], b: readonly Tool[]): boolean {
  return a.length === b.length && a.every((tool, index) => tool === b[index]);
}
