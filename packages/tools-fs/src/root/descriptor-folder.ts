import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Folder } from './folder.js';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * A folder held by its descriptor. `/proc/self/fd/N/name` starts at that very folder whatever happens to the path it
 * was opened by: Linux's way to say `openat` from Node.
 */
export async function openDescriptorFolder(path: string): Promise<Folder> {
  const handle = await open(path, FOLDER);
  const self = `/proc/self/fd/${handle.fd}`;
  return {
    hold: 'descriptor',
    self,
    reach: (name) => `${self}/${name}`,
    enter: (name) => openDescriptorFolder(`${self}/${name}`),
    confirm: () => Promise.resolve(true),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** Whether this system has `/proc/self/fd`: not outside Linux, and not in every container. */
export async function descriptorsReachFiles(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const handle = await open('/', FOLDER);
  try {
    const [direct, through] = await Promise.all([handle.stat(), stat(`/proc/self/fd/${handle.fd}/.`)]);
    return direct.ino === through.ino && direct.dev === through.dev;
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}
