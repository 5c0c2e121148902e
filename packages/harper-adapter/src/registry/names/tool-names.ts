import { createHash } from 'node:crypto';

/** What every provider of models accepts as the name of a tool. */
const USABLE = /^[a-zA-Z0-9_-]{1,64}$/;
const LONGEST = 64;
const HASH_LENGTH = 8;

/** The tools of one source under the names a model sees, and those that could have none. */
export interface NamedTools {
  /** From the name a model sees to the tool's own. */
  readonly originals: ReadonlyMap<string, string>;
  /** The tools whose own name was taken, and the names they have instead. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Own names that came twice, or whose name for the model is another tool's. */
  readonly leftOut: readonly string[];
}

/**
 * Gives each tool a name that every provider of models accepts: its own where that can be, else a readable one with a
 * hash of its own name. So `a/b`, `a.b` and `a_b` stay three tools, and a name depends neither on the order nor on
 * which other tools there are. `taken` are the names that belong to others, in whatever case, with `-` or `_`: whoever
 * approves a call, or writes a rule, reads them as the same.
 */
export function nameTools(names: readonly string[], taken: ReadonlySet<string>): NamedTools {
  const originals = new Map<string, string>();
  const renamed = new Map<string, string>();
  const leftOut: string[] = [];
  const isTaken = (name: string) => taken.has(name) || taken.has(name.toLowerCase().replaceAll('-', '_'));
  const keepsItsName = (name: string) => USABLE.test(name) && !isTaken(name);
  // Those that keep their names come first: no other tool takes one by way of its hash.
  for (const name of names.filter(keepsItsName)) {
    if (originals.has(name)) leftOut.push(name);
    else originals.set(name, name);
  }
  for (const name of names.filter((item) => !keepsItsName(item)).toSorted()) {
    const shown = hashedName(name);
    if (originals.has(shown) || taken.has(shown)) {
      leftOut.push(name);
      continue;
    }
    originals.set(shown, name);
    if (isTaken(name)) renamed.set(name, shown);
  }
  return { originals, renamed, leftOut };
}

function hashedName(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  const readable = name.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').slice(0, LONGEST - HASH_LENGTH - 1);
  return `${readable}_${hash}`;
}
