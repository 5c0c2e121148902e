import { realpath, lstat, mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { NotFoundError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { Folder, Hold } from './folder.js';
import { describeFsError, isSystemError, linkRefused } from './fs-error.js';
import { closeQuietly, openFolder, strongestHold } from './open-folder.js';
import type { Place, Scope } from './scope.js';

/** The only way from a checked place to the disk. Every folder on the way is opened in turn; links are refused. */
export interface Jail {
  /** Works in the folder that holds the place's last name; closes it when the work settles. */
  inParent<T>(place: Place, work: (parent: Folder, name: string) => Promise<T>): Promise<T>;
  /**
   * The same for writing: makes missing folders when `making` is given. Refuses a root that is read only, before
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
    let resolved: string;
    try {
      resolved = await realpath(root.path);
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error;
      throw new NotFoundError(`${label}: the root '${root.name}' does not exist on this server.`);
    }
    if ((await lstat(resolved)).isDirectory()) return { folder: await openFolder(resolved, chosen) };
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

  /** Opens the first `depth` folders of the place, one after the other. */
  async function walk(root: Folder, place: Place, depth: number, making?: Making): Promise<Folder> {
    let folder = root;
    for (let index = 0; index < depth; index++) {
      const outer = folder;
      try {
        folder = await step(outer, place, index, making);
      } finally {
        await closeQuietly(outer);
      }
    }
    return folder;
  }

  async function inParent<T>(
    place: Place,
    work: (parent: Folder, name: string) => Promise<T>,
    making?: Making,
  ) {
    return described(place, async () => {
      const { folder: root, only } = await openRoot(place);
      const parent = only === undefined ? await walk(root, place, place.segments.length - 1, making) : root;
      try {
        const name = only ?? place.segments.at(-1);
        if (name === undefined)
          throw new ToolDeniedError(`${place.label} is a folder. Give the path of something in it.`);
        return await work(parent, name);
      } finally {
        await closeQuietly(parent);
      }
    });
  }

  return {
    inParent: (place, work) => inParent(place, work),
    requireWritable,
    async inParentToWrite(place, work, making) {
      requireWritable(place);
      return inParent(place, work, making);
    },
    async makeFolders(place, making) {
      requireWritable(place);
      await described(place, async () => {
        const { folder, only } = await openRoot(place);
        if (only === undefined) {
          await closeQuietly(await walk(folder, place, place.segments.length, making));
          return;
        }
        await closeQuietly(folder);
        throw new ToolDeniedError(`${place.label} is a file: no folder is made there.`);
      });
    },
    inFolder: (place, work) =>
      described(place, async () => {
        const { folder: root, only } = await openRoot(place);
        const folder = only === undefined ? await walk(root, place, place.segments.length) : root;
        try {
          return await work(folder, only);
        } finally {
          await closeQuietly(folder);
        }
      }),
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

async function described<T>(place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw describeFsError(error, place.label);
  }
}
