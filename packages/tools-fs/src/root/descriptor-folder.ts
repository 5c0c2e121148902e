import { close, closeSync, constants, fsync, open } from 'node:fs';
import { open as openHandle, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Folder } from './folder.js';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK;
// Numbers, as a `FileHandle` cannot be closed at once.
const openDescriptor = promisify(open);
const syncDescriptor = promisify(fsync);
const closeDescriptor = promisify(close);

/**
 * A folder held by its descriptor. `/proc/self/fd/N/name` starts at that very folder whatever happens to the path it
 * was opened by: Linux's way to say `openat` from Node. A link at the end of the path is followed only where `links` says so.
 */
export async function openDescriptorFolder(
  path: string,
  links: 'follow' | 'refuse' = 'refuse',
): Promise<Folder> {
  const flags = links === 'follow' ? FOLDER : FOLDER | constants.O_NOFOLLOW;
  const descriptor = await openDescriptor(path, flags);
  const self = `/proc/self/fd/${descriptor}`;
  let isOpen = true;
  return {
    hold: 'descriptor',
    self,
    reach: (name) => `${self}/${name}`,
    enter: (name) => openDescriptorFolder(`${self}/${name}`),
    confirm: () => Promise.resolve(true),
    sync: () => syncDescriptor(descriptor),
    async close(atOnce = false) {
      // The number may be that of another file by now.
      if (!isOpen) return;
      isOpen = false;
      if (atOnce) closeSync(descriptor);
      else await closeDescriptor(descriptor);
    },
  };
}

/** Whether this system has `/proc/self/fd`: not outside Linux, and not in every container. */
export async function descriptorsReachFiles(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const handle = await openHandle('/', FOLDER);
  try {
    const [direct, through] = await Promise.all([handle.stat(), stat(`/proc/self/fd/${handle.fd}/.`)]);
    return direct.ino === through.ino && direct.dev === through.dev;
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}
