import { type BigIntStats, constants, fstatSync } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { InvalidRequestError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { Folder } from './folder.js';
import { linkRefused } from './fs-error.js';
import { isLocalDisk, learnDevice } from './local-disks.js';
import { closeQuietly } from './open-folder.js';

// Some platforms know neither flag; Node then leaves them undefined.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A regular file, open for reading. */
export interface OpenedFile {
  readonly file: FileHandle;
  /** Bytes, when it was opened. */
  readonly size: number;
  readonly stats: BigIntStats;
}

/**
 * Opens a regular file for reading; the caller closes it. Links, folders, pipes, sockets and devices are refused and
 * never block: by their kind before the open, and by what was really opened after it.
 */
export async function openFile(folder: Folder, name: string, label: string): Promise<OpenedFile> {
  const seen = await lstat(folder.reach(name), { bigint: true });
  requireRegular(seen, label);
  const file = await open(folder.reach(name), READ);
  try {
    const stats = isLocalDisk(seen.dev)
      ? fstatSync(file.fd, { bigint: true })
      : await file.stat({ bigint: true });
    requireRegular(stats, label);
    if (!(await folder.confirm(name, stats))) throw swapped(label);
    await learnDevice(stats.dev, file.fd);
    return { file, size: Number(stats.size), stats };
  } catch (error) {
    await closeQuietly(file);
    throw error;
  }
}

/** Refuses everything that is not a regular file, by name of its kind. */
export function requireRegular(stats: BigIntStats, label: string): void {
  if (stats.isFile()) return;
  if (stats.isSymbolicLink()) throw linkRefused(label);
  if (stats.isDirectory())
    throw new InvalidRequestError(`${label} is a folder. list_dir shows what is in it.`);
  const kind = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
  throw new ToolDeniedError(`${label} is ${kind}: only regular files are read and written.`);
}

/** Something replaced the file or a folder above it while the call ran. */
export function swapped(label: string): ToolDeniedError {
  return new ToolDeniedError(`${label} was replaced while it was opened. Nothing was read or written.`);
}
