import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { NotFoundError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { Folder, Hold } from './folder.js';
import { describeFsError, isSystemError, linkRefused } from './fs-error.js';
import { type OpenedFile, openFile } from './open-file.js';
import { isLocalDisk } from './local-disks.js';
import { closeFolders, closeQuietly, openFolder, strongestHold } from './open-folder.js';
import type { Place, Scope } from './scope.js';

/** The only way from a checked place to the disk. Every folder on the way is opened in turn; links are refused. */
export interface Jail {
  /** Works in the folder that holds the place's last name; closes it when the work settles. */
  inParent<T>(place: Place, work: (parent: Folder, name: string) => Promise<T>): Promise<T>;
  /** Works with the place as a regular file, open for reading; closes it when the work settles. */
  withFile<T>(place: Place, work: (opened: OpenedFile) => Promise<T>): Promise<T>;
  /**
   * As `inParent`, for writing: makes missing folders when `making` is given. Refuses a root that is read only, before
   * anything is touched.
   */
  inParentToWrite<T>(
    place: Place,
    work: (parent: Folder, name: string) => Promise<T>,
    making?: Making,
  ): Promise<T>;
  /** Throws for a place in a root that is read only. */
  requireWritable(place: Place): void;
  /** Makes the place a folder, with those above it. Refuses a root that is read only. */
  makeFolders(place: Place, making: Making): Promise<void>;
  /** Works in the place itself: a folder, or (as its second argument) the name of the only file of the root. */
  inFolder<T>(place: Place, work: (folder: Folder, only: string | undefined) => Promise<T>): Promise<T>;
}

/** Awaited before a missing folder is made, with its names from the root on. */
export type Making = (segments: readonly string[]) => Promise<void>;

interface OpenRoot {
  readonly folder: Folder;
  /** Set for a root that is one file: its name in `folder`. */
  readonly only?: string;
}

/** The jail of a scope. `hold` is for tests; left out, the strongest one of the system is used. */
export function createJail(scope: Scope, hold?: Hold): Jail {
  let strongest: Promise<Hold> | undefined;

  async function openRoot(place: Place): Promise<OpenRoot> {
    const { root, label } = place;
    const chosen = hold ?? (await (strongest ??= strongestHold()));
    try {
      return { folder: await openFolder(root.path, chosen) };
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) {
        throw new NotFoundError(`${label}: the root '${root.name}' does not exist on this server.`);
      }
      if (!isSystemError(error, 'ENOTDIR')) throw error;
    }
    const resolved = await realpath(root.path);
    const names = [basename(root.path), basename(resolved)];
    const [name, ...more] = place.segments;
    if (more.length > 0 || (name !== undefined && !names.includes(name))) {
      throw new ToolDeniedError(
        `${label}: the root '${root.name}' is the single file '${names[0]}'. Give that as path, or '.'.`,
      );
    }
    if (scope.withheld(names))
      throw new ToolDeniedError(`${label} may hold keys, which no tool reads or writes.`);
    return { folder: await openFolder(dirname(resolved), chosen), only: basename(resolved) };
  }

  async function step(folder: Folder, place: Place, index: number, making?: Making): Promise<Folder> {
    const name = place.segments[index] ?? '.';
    try {
      return await folder.enter(name);
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) {
        if (index === 0 && [place.root.name, `${place.root.name}Root`].includes(name)) throw doubled(place);
        if (making === undefined) throw error;
        await making(place.segments.slice(0, index + 1));
        await makeFolder(folder, name);
        return await folder.enter(name);
      }
      if (isSystemError(error, 'ENOTDIR') && (await lstat(folder.reach(name))).isSymbolicLink()) {
        throw linkRefused(place.label);
      }
      throw error;
    }
  }

  function requireWritable({ root, label }: Place): void {
    if (root.mode === 'rw') return;
    throw new ToolDeniedError(`${label}: the root '${root.name}' is read only. ${scope.summary}`);
  }

  /** Works in the place (`up` 0) or in the folder that holds it (1), opening every folder on the way in turn. */
  async function inside<T>(
    place: Place,
    up: 0 | 1,
    work: (folder: Folder, only: string | undefined, opened: readonly Folder[]) => Promise<T>,
    making?: Making,
  ): Promise<T> {
    const opened: Folder[] = [];
    try {
      let { folder, only } = await openRoot(place);
      opened.push(folder);
      const depth = only === undefined ? place.segments.length - up : 0;
      for (let index = 0; index < depth; index++) {
        folder = await step(folder, place, index, making);
        opened.push(folder);
      }
      return await work(folder, only, opened);
    } catch (error) {
      throw describeFsError(error, place.label);
    } finally {
      await closeFolders(opened);
    }
  }

  function inParent<T>(
    place: Place,
    work: (parent: Folder, name: string, opened: readonly Folder[]) => Promise<T>,
    making?: Making,
  ): Promise<T> {
    return inside(
      place,
      1,
      (parent, only, opened) => {
        const name = only ?? place.segments.at(-1);
        if (name !== undefined) return work(parent, name, opened);
        throw new ToolDeniedError(`${place.label} is a folder. Give the path of something in it.`);
      },
      making,
    );
  }

  return {
    inParent: (place, work) => inParent(place, work),
    withFile: (place, work) =>
      inParent(place, async (parent, name, folders) => {
        const opened = await openFile(parent, name, place.label);
        try {
          // A file that is open needs no folder.
          if (isLocalDisk(opened.stats.dev)) await closeFolders(folders, true);
          return await work(opened);
        } finally {
          await closeQuietly(opened.file);
        }
      }),
    requireWritable,
    async inParentToWrite(place, work, making) {
      requireWritable(place);
      return inParent(place, work, making);
    },
    async makeFolders(place, making) {
      requireWritable(place);
      await inside(
        place,
        0,
        async (_folder, only) => {
          if (only === undefined) return;
          throw new ToolDeniedError(`${place.label} is a file: no folder is made there.`);
        },
        making,
      );
    },
    inFolder: (place, work) => inside(place, 0, work),
  };
}

async function makeFolder(parent: Folder, name: string): Promise<void> {
  try {
    await mkdir(parent.reach(name));
  } catch (error) {
    // Another call made it first; a dangling link ends here too, and is refused when it is entered.
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
  await parent.sync();
}

/** Models like to repeat the root's name in the path, or to make one up such as `componentsRoot`; a folder of that name inside the root would help nobody. */
function doubled(place: Place): NotFoundError {
  const rest = place.segments.slice(1).join('/') || '.';
  return new NotFoundError(
    `${place.label} does not exist: paths are already relative to '${place.root.name}'. Did you mean '${rest}'?`,
  );
}
