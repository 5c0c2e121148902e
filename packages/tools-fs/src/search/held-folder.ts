import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Hold } from '../root/folder.js';

// Some platforms do not know every flag; Node then leaves it undefined.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FOLDER = READ | (constants.O_DIRECTORY ?? 0);

/** A folder as a search thread holds it: like `Folder` in src/root, in calls that wait. Names are single parts of a path. */
export interface HeldFolder {
  /** A path for system calls that reaches the folder itself. */
  readonly self: string;
  /** Throws the system's error where `name` is no folder, or is a link. */
  enter(name: string): HeldFolder;
  /** A descriptor for reading, which the caller closes. Throws where `name` is a link; never waits for a pipe. */
  openFile(name: string): number;
  close(): void;
}

/** The folder that another thread holds and reaches by `self`; closing it is up to that thread. */
export function heldFolder(self: string, hold: Hold): HeldFolder {
  return hold === 'descriptor' ? byDescriptor(self, () => undefined) : byCheck(self, realpathSync(self));
}

function byDescriptor(self: string, close: () => void): HeldFolder {
  return {
    self,
    enter(name) {
      const descriptor = openSync(`${self}/${name}`, FOLDER);
      return byDescriptor(`/proc/self/fd/${descriptor}`, () => closeSync(descriptor));
    },
    openFile: (name) => openSync(`${self}/${name}`, READ),
    close,
  };
}

/** Where descriptors lead nowhere: what stands at the path is compared with what was opened, before and after. */
function byCheck(self: string, resolved: string): HeldFolder {
  function confirm(name: string): void {
    if (realpathSync(self) !== resolved)
      throw new Error(`The folder of '${name}' was swapped during the search.`);
  }
  return {
    self,
    enter(name) {
      const path = join(self, name);
      if (!lstatSync(path).isDirectory()) throw new Error(`'${name}' is no folder.`);
      const inner = realpathSync(path);
      if (inner !== join(resolved, name)) throw new Error(`'${name}' leads somewhere else.`);
      return byCheck(path, inner);
    },
    openFile(name) {
      const path = join(self, name);
      const expected = lstatSync(path, { bigint: true });
      if (!expected.isFile()) throw new Error(`'${name}' is no file.`);
      const descriptor = openSync(path, READ);
      try {
        const opened = fstatSync(descriptor, { bigint: true });
        confirm(name);
        if (opened.ino !== expected.ino || opened.dev !== expected.dev) {
          throw new Error(`'${name}' was swapped during the search.`);
        }
        return descriptor;
      } catch (error) {
        closeSync(descriptor);
        throw error;
      }
    },
    close: () => undefined,
  };
}
