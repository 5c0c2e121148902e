import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { entryStats, permissions } from '../root/entry-stats.js';
import type { Folder } from '../root/folder.js';
import { openFile, requireRegular } from '../root/open-file.js';
import { closeQuietly } from '../root/open-folder.js';
import { hashOf, readChunks } from '../text/hash.js';
import type { PathState } from './change.js';

/** What stands at a name, held open while a change is decided and made. */
export interface OpenState {
  readonly state: PathState;
  /** As seen when it was opened; undefined where nothing stands there. */
  readonly stats: BigIntStats | undefined;
  /** Open for reading where a file stands there. */
  readonly file: FileHandle | undefined;
}

/** Where a name is looked at, and how it is done. */
export interface Look {
  readonly folder: Folder;
  readonly name: string;
  readonly label: string;
  /** Throws for a file that is not to be read at all, before it is. */
  readonly allow?: (stats: BigIntStats) => void;
  /** Larger files are not read: they are told apart by what the disk says of them. */
  readonly mostHashed?: number;
  readonly signal: AbortSignal;
}

/** Works with what stands at a name: nothing, a folder, or a regular file. Everything else is refused. */
export async function withState<T>(look: Look, work: (open: OpenState) => Promise<T>): Promise<T> {
  const { folder, name, label, signal } = look;
  const stats = await entryStats(folder, name);
  if (stats === undefined) return work({ state: { kind: 'absent' }, stats, file: undefined });
  if (stats.isDirectory()) return work({ state: { kind: 'folder' }, stats, file: undefined });
  requireRegular(stats, label);
  look.allow?.(stats);
  const { file, stats: opened } = await openFile(folder, name, label);
  try {
    const tooLarge = opened.size > BigInt(look.mostHashed ?? Number.MAX_SAFE_INTEGER);
    const content = tooLarge ? fingerprint(opened) : await hashOf(readChunks(file, signal));
    return await work({
      state: { kind: 'file', ...content, mode: permissions(opened) },
      stats: opened,
      file,
    });
  } finally {
    await closeQuietly(file);
  }
}

/** The same for as long as nobody writes to the file, under whatever name. */
function fingerprint({ dev, ino, size, mtimeNs }: BigIntStats): { hash: string; size: number } {
  return {
    hash: createHash('sha256').update(`${dev}:${ino}:${mtimeNs}`).digest('hex'),
    size: Number(size),
  };
}
