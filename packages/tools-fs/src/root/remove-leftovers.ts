import { opendir, stat, unlink } from 'node:fs/promises';
import { entryStats } from './entry-stats.js';
import type { Folder } from './folder.js';
import { isDraft, isLeftover } from './draft-name.js';

const MOST_KNOWN = 10_000;
const known = new Set<string>();

/** Removes what a process that was killed in the middle of a write left in a folder. */
export async function removeLeftovers(folder: Folder): Promise<void> {
  for await (const { name } of await opendir(folder.self)) {
    if (!isDraft(name)) continue;
    const stats = await entryStats(folder, name);
    if (stats?.isFile() === true && isLeftover(name, Number(stats.mtimeMs))) {
      // Another process may be tidying up too, or the folder forbid it: a leftover harms nobody.
      await unlink(folder.reach(name)).catch(() => undefined);
    }
  }
}

/** The same once for each folder: what a process leaves, the next one finds. */
export async function removeLeftoversOnce(folder: Folder): Promise<void> {
  const { dev, ino } = await stat(folder.self);
  const key = `${dev}:${ino}`;
  if (known.has(key)) return;
  if (known.size === MOST_KNOWN) known.clear();
  known.add(key);
  // A folder that cannot be listed may still be written to.
  await removeLeftovers(folder).catch(() => undefined);
}
