import type { GateSettings } from '@harperfast/agent-core';
import { MOST_TOOLS, isOffered } from '@harperfast/agent-core';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { Findable } from './search-tools.js';

/** The tools of one provider, and how early each gets a place in a request: the lowest first. */
export interface RankedTools {
  readonly tools: readonly Tool[];
  readonly rank: (tool: Tool) => number;
}

/** Which tools every request carries, and which only after they were found. */
export interface OfferPlan {
  /** The lists that were given, in the same order, with the tools that have no place marked as deferred. */
  readonly lists: readonly (readonly Tool[])[];
  readonly findable: Findable;
}

/** Of the places in a request the last are kept for what is found. */
const LEAST_ROOM = 16;

/**
 * Gives `maxTools` places, one of them to the search, to the tools of the lowest ranks, in the order they are listed.
 * Where all have a place nothing is deferred. Tools that are not on offer take none.
 */
export function planOffer(
  sources: readonly RankedTools[],
  { maxTools, settings }: { readonly maxTools: number; readonly settings: GateSettings },
): OfferPlan {
  const lists = sources.map(({ tools }) => tools);
  const offered = (tool: Tool) => isOffered(tool, settings);
  const wanted = sources
    .flatMap(({ tools, rank }) => tools.filter(offered).map((tool) => ({ tool, rank: rank(tool) })))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ tool }) => tool);
  if (wanted.length <= maxTools) return { lists, findable: { tools: [], room: 0 } };
  const places = Math.min(maxTools, MOST_TOOLS - LEAST_ROOM) - 1;
  const atOnce = new Set(wanted.slice(0, places));
  return {
    lists: lists.map((tools) =>
      tools.map((tool) => (atOnce.has(tool) || !offered(tool) ? tool : deferred(tool))),
    ),
    findable: { tools: wanted.slice(places), room: MOST_TOOLS - places - 1 },
  };
}

const deferredTools = new WeakMap<Tool, Tool>();

/** The same tool gives the same one: the engine compares tools by identity. */
function deferred(tool: Tool): Tool {
  const known = deferredTools.get(tool);
  if (known !== undefined) return known;
  const made: Tool = { ...tool, deferred: true };
  deferredTools.set(tool, made);
  return made;
}
