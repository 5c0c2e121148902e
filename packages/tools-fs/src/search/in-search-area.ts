import { lstat } from 'node:fs/promises';
import type { Folder } from '../root/folder.js';
import type { Jail } from '../root/jail.js';
import { requireRegular } from '../root/open-file.js';
import { closeQuietly } from '../root/open-folder.js';
import type { Place } from '../root/scope.js';
import type { SearchArea } from './requests.js';

/** What a search area says about itself on disk, and how its paths are called from the root on. */
export interface HeldArea extends Pick<SearchArea, 'self' | 'hold' | 'only'> {
  readonly pathFromRoot: (path: string) => string;
}

/** Works while the place, a folder or a single file, is held open for another thread. Refuses links and pipes. */
export function inSearchArea<T>(jail: Jail, place: Place, work: (area: HeldArea) => Promise<T>): Promise<T> {
  if (place.segments.length === 0) {
    return jail.inFolder(place, (folder, only) => work(area(folder, only, [])));
  }
  return jail.inParent(place, async (parent, name) => {
    const stats = await lstat(parent.reach(name), { bigint: true });
    if (!stats.isDirectory()) {
      requireRegular(stats, place.label);
      return work(area(parent, name, place.segments.slice(0, -1)));
    }
    const folder = await parent.enter(name);
    try {
      return await work(area(folder, undefined, place.segments));
    } finally {
      await closeQuietly(folder);
    }
  });
}

function area({ self, hold }: Folder, only: string | undefined, above: readonly string[]): HeldArea {
  const prefix = above.map((name) => `${name}/`).join('');
  return { self, hold, only, pathFromRoot: (path) => prefix + path };
}
