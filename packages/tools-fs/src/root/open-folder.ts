import type { FileHandle } from 'node:fs/promises';
import { openCheckedFolder } from './checked-folder.js';
import { descriptorsReachFiles, openDescriptorFolder } from './descriptor-folder.js';
import type { Folder, Hold } from './folder.js';

/** Opens the folder at a resolved absolute path. */
export function openFolder(path: string, hold: Hold): Promise<Folder> {
  return hold === 'descriptor' ? openDescriptorFolder(path) : openCheckedFolder(path);
}

/** The strongest hold of this system. */
export async function strongestHold(): Promise<Hold> {
  return (await descriptorsReachFiles()) ? 'descriptor' : 'check';
}

/** Closes without hiding the outcome of the work before it. */
export async function closeQuietly(open: Folder | FileHandle): Promise<void> {
  await open.close().catch(() => undefined);
}
