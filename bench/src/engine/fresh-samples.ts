import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Values } from './child-process.js';
import type { EntrantId } from './contenders.js';
import { withDataFolder } from './data-folder.js';
import { medians } from './medians.js';

/**
 * Samples the entrants in turns, each time with an empty folder of its own; gives the medians. `measure` starts the
 * processes it needs.
 */
export async function freshSamples(
  ids: readonly EntrantId[],
  samples: number,
  measure: (id: EntrantId, folder: string) => Promise<Values>,
): Promise<ReadonlyMap<EntrantId, Values>> {
  const found = new Map<EntrantId, Values[]>(ids.map((id) => [id, []]));
  for (let sample = 0; sample < samples; sample++) {
    for (const id of ids) {
      const values = await withDataFolder(async (parent) => {
        const folder = join(parent, id);
        await mkdir(folder);
        return measure(id, folder);
      });
      found.get(id)?.push(values);
    }
  }
  return new Map([...found].map(([id, values]) => [id, medians(values)]));
}
