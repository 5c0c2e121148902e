import { ALL_ITEMS } from './items/all-items.js';
import type { Item } from './items/item.js';

/** The items that were named, in the order they run; all of them for no name. Throws, naming those there are. */
export function selectItems(names: readonly string[]): readonly Item[] {
  const known = ALL_ITEMS.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(', ')}; the items are ${known.join(', ')}`);
  return names.length === 0 ? ALL_ITEMS : ALL_ITEMS.filter(({ name }) => names.includes(name));
}
