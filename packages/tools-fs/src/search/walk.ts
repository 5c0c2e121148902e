import { type Dirent, readdirSync } from 'node:fs';
import type { SecretsRule } from '../root/secrets.js';
import type { HeldFolder } from './held-folder.js';
import { type IgnoreRules, isIgnored, readIgnoreRules } from './ignore-files.js';

/** Something a walk came by. Links and what is neither file nor folder are not reported. */
export interface WalkEntry {
  readonly kind: 'file' | 'folder';
  readonly name: string;
  /** Relative to the folder walked. */
  readonly path: string;
  /** The folder it is in; closed when the walk goes on to another one. */
  readonly folder: HeldFolder;
}

export interface WalkOptions {
  readonly secrets: SecretsRule;
  /** Enters `node_modules` and pays no heed to ignore files. */
  readonly everything: boolean;
  /** Folders that are neither reported nor entered. */
  readonly excludes: (path: string, name: string) => boolean;
  /** Told of each folder that could not be read. */
  readonly unreadable: (path: string) => void;
}

const MAX_DEPTH = 64;
/** Full of files that other people wrote. */
const BULKY = new Set(['node_modules', '.git']);

/**
 * Goes through a folder in the order of the names, what is in a folder right after it. Follows no link, opens nothing that
 * is withheld, and closes what it opened when the consumer stops.
 */
export function* walk(
  folder: HeldFolder,
  options: WalkOptions,
  names: readonly string[] = [],
  levels: readonly IgnoreRules[] = [],
): Generator<WalkEntry, void, undefined> {
  const path = names.join('/');
  let entries: Dirent[];
  try {
    entries = readdirSync(folder.self, { withFileTypes: true });
  } catch {
    options.unreadable(path);
    return;
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const rules = options.everything
    ? undefined
    : readIgnoreRules(folder, new Set(entries.map(({ name }) => name)), names.length);
  const all = rules === undefined ? levels : [...levels, rules];
  const prefix = path === '' ? '' : `${path}/`;
  for (const entry of entries) {
    const { name } = entry;
    const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : undefined;
    if (kind === undefined || options.secrets.deniedName([name]) !== undefined) continue;
    if (all.length > 0 && isIgnored(all, [...names, name], kind === 'folder')) continue;
    if (kind === 'file') {
      yield { kind, name, path: prefix + name, folder };
      continue;
    }
    if (!options.everything && BULKY.has(name)) continue;
    if (options.excludes(prefix + name, name)) continue;
    yield { kind, name, path: prefix + name, folder };
    if (names.length + 1 >= MAX_DEPTH) options.unreadable(prefix + name);
    else yield* enter(folder, name, options, [...names, name], all);
  }
}

function* enter(
  outer: HeldFolder,
  name: string,
  options: WalkOptions,
  names: readonly string[],
  levels: readonly IgnoreRules[],
): Generator<WalkEntry, void, undefined> {
  let inner: HeldFolder;
  try {
    inner = outer.enter(name);
  } catch {
    options.unreadable(names.join('/'));
    return;
  }
  try {
    yield* walk(inner, options, names, levels);
  } finally {
    inner.close();
  }
}
