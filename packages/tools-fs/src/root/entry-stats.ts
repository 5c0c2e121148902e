import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { ConflictError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { Folder } from './folder.js';
import { isSystemError } from './fs-error.js';

/** What stands at a name now, without following a link; undefined where there is nothing. */
export async function entryStats(folder: Folder, name: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(folder.reach(name), { bigint: true });
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Throws `ConflictError` when another thing stands at the name than was seen before, or it was written to since. */
export async function requireUnchanged(
  folder: Folder,
  name: string,
  seen: BigIntStats | undefined,
  label: string,
): Promise<void> {
  const now = await entryStats(folder, name);
  const same =
    now === undefined || seen === undefined
      ? now === seen
      : now.ino === seen.ino &&
        now.dev === seen.dev &&
        now.size === seen.size &&
        now.mtimeNs === seen.mtimeNs;
  if (!same) throw changedMeanwhile(label);
}

/** Somebody else changed the file between the look and the change. */
export function changedMeanwhile(label: string): ConflictError {
  return new ConflictError(`${label} was changed by someone else during the call. Nothing was done to it.`);
}

/** Refuses what nobody may write, as its permissions say. */
export function requireWritable(stats: BigIntStats, label: string): void {
  if ((stats.mode & 0o222n) !== 0n) return;
  throw new ToolDeniedError(`${label} has no write permission (mode ${permissions(stats).toString(8)}).`);
}

/** The permission bits of an entry. */
export function permissions(stats: BigIntStats): number {
  return Number(stats.mode & 0o777n);
}
