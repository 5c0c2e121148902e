import { type FileHandle, realpath } from 'node:fs/promises';
import { openCheckedFolder } from './checked-folder.js';
import { descriptorsReachFiles, openDescriptorFolder } from './descriptor-folder.js';
import type { Folder, Hold } from './folder.js';

/** Opens the folder at an absolute path, which may be or hold links. Fails with ENOTDIR where something else stands. */
export async function openFolder(path: string, hold: Hold): Promise<Folder> {
  return hold === 'descriptor'
    ? openDescriptorFolder(path, 'follow')
    : openCheckedFolder(await realpath(path));
}

/** The strongest hold of this system. */
export async function strongestHold(): Promise<Hold> {
  return (await descriptorsReachFiles()) ? 'descriptor' : 'check';
}

/** Closes without hiding the outcome of the work before it. */
export function closeQuietly(open: Folder | FileHandle): Promise<void> {
  return open.close().catch(() => undefined);
}

/** The same for folders, together; `atOnce` where they are on a local disk. */
export async function closeFolders(folders: readonly Folder[], atOnce = false): Promise<void> {
  await Promise.all(folders.map((folder) => folder.close(atOnce).catch(() => undefined)));
}
