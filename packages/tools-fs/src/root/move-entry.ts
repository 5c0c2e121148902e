import type { BigIntStats } from 'node:fs';
import { opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { ConflictError } from '@harperfast/agent-core/contracts';
import { entryStats, requireUnchanged } from './entry-stats.js';
import type { Folder } from './folder.js';
import { closeQuietly } from './open-folder.js';
import { removeLeftovers } from './remove-leftovers.js';

/** A name in a held folder. */
export interface Entry {
  readonly folder: Folder;
  readonly name: string;
  readonly label: string;
}

/**
 * Removes a file or an empty folder, unless it changed since `seen`; durable when its folder is synced. Fails with
 * ENOTEMPTY for any other folder.
 */
export async function removeEntry({ folder, name, label }: Entry, seen: BigIntStats): Promise<void> {
  if (seen.isDirectory()) await rmdir(folder.reach(name));
  else {
    await requireUnchanged(folder, name, seen, label);
    await unlink(folder.reach(name));
  }
}

/** Throws for a folder with something in it, before anything is written down about removing it. */
export async function requireEmpty({ folder, name, label }: Entry): Promise<void> {
  const inner = await folder.enter(name);
  try {
    // Nobody else could delete them.
    if (await holdsSomething(inner)) await removeLeftovers(inner);
    if (!(await holdsSomething(inner))) return;
    throw new ConflictError(`${label} is not empty. Delete what is in it first.`, { code: 'not_empty' });
  } finally {
    await closeQuietly(inner);
  }
}

async function holdsSomething(folder: Folder): Promise<boolean> {
  const names = await opendir(folder.self);
  try {
    return (await names.read()) !== null;
  } finally {
    await names.close();
  }
}

/** Gives a file or folder another name, unless it changed since `seen` or the name is taken; durable as above. */
export async function moveEntry(from: Entry, to: Entry, seen: BigIntStats): Promise<void> {
  if ((await entryStats(to.folder, to.name)) !== undefined) throw nameTaken(to.label);
  if (seen.isFile()) await requireUnchanged(from.folder, from.name, seen, from.label);
  await rename(from.folder.reach(from.name), to.folder.reach(to.name));
}

/** Something stands where something new should: nothing is ever moved over it. */
export function nameTaken(label: string): ConflictError {
  return new ConflictError(`${label} exists already. Choose another name, or delete it first.`);
}
