import { createSecretsRule } from '../root/secrets.js';
import { type Globs, compileGlobs } from './globs.js';
import { heldFolder } from './held-folder.js';
import type { SearchArea, Secret } from './requests.js';
import { type WalkEntry, walk } from './walk.js';

/** What is in an area, and what could not be read of it so far. */
export interface Surveyed {
  readonly entries: Iterable<WalkEntry>;
  readonly globs: Globs;
  readonly unreadable: string[];
}

/** Opens an area in the search thread. Nothing is read before the entries are asked for. */
export function survey(area: SearchArea, { deny }: Secret): Surveyed {
  const folder = heldFolder(area.self, area.hold);
  const globs = compileGlobs(area.globs);
  const unreadable: string[] = [];
  if (area.only !== undefined) {
    const { only } = area;
    return { entries: [{ kind: 'file', name: only, path: only, folder }], globs, unreadable };
  }
  const entries = walk(folder, {
    secrets: createSecretsRule(deny),
    everything: area.everything,
    excludes: (path, name) => globs.excludes(path, name),
    unreadable: (path) => unreadable.push(path),
  });
  return { entries, globs, unreadable };
}
