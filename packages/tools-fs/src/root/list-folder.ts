import { lstat, opendir } from 'node:fs/promises';
import type { Folder } from './folder.js';
import { isSystemError } from './fs-error.js';
import { closeQuietly } from './open-folder.js';

/** One line of a listing. `path` is relative to the folder listed. */
export interface ListedEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes, of files only. */
  readonly size?: number;
  /** Why a folder's own entries are missing, or a file cannot be read. */
  readonly note?: 'withheld' | 'not opened' | 'its name is not UTF-8';
}

/** How far a listing goes. */
export interface ListOptions {
  readonly depth: number;
  readonly maxEntries: number;
  /** Names that may be shown and never opened. */
  readonly withheld: (names: readonly string[]) => boolean;
  /** Lists this one name of the folder, which is all that the root is. */
  readonly only?: string;
}

/** Entries sorted by path, level by level until the cap; `complete` is false when something was left out. */
export interface Listing {
  readonly entries: readonly ListedEntry[];
  readonly complete: boolean;
}

const BULKY = new Set(['node_modules', '.git']);
/** Names read of one folder, to sort them, for each entry that may be shown. */
const NAMES_PER_ENTRY = 20;

/** Lists a held folder, the upper levels first, so that a cap leaves out what is deepest. Follows no link. */
export async function listFolder(
  folder: Folder,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Listing> {
  const entries: ListedEntry[] = [];
  let complete = true;
  const queue: (readonly string[])[] = [[]];
  for (const names of queue) {
    const inner = await enterAll(folder, names);
    if (inner === undefined) continue;
    try {
      const found =
        options.only === undefined
          ? await readNames(inner, options.maxEntries * NAMES_PER_ENTRY, signal)
          : { names: [options.only], all: true };
      complete &&= found.all;
      for (const name of found.names) {
        signal.throwIfAborted();
        if (entries.length === options.maxEntries) return { entries: sorted(entries), complete: false };
        const path = [...names, name];
        const entry = await look(inner, path, options);
        if (entry === undefined) continue;
        entries.push(entry);
        if (entry.kind === 'folder' && entry.note === undefined && path.length < options.depth)
          queue.push(path);
      }
    } finally {
      if (inner !== folder) await closeQuietly(inner);
    }
  }
  return { entries: sorted(entries), complete };
}

/** Opens a folder below, or nothing where it went away or became a link since it was listed. */
async function enterAll(folder: Folder, names: readonly string[]): Promise<Folder | undefined> {
  let inner = folder;
  for (const name of names) {
    const outer = inner;
    try {
      inner = await outer.enter(name);
    } catch (error) {
      if (isSystemError(error)) return undefined;
      throw error;
    } finally {
      if (outer !== folder) await closeQuietly(outer);
    }
  }
  return inner;
}

async function readNames(
  folder: Folder,
  most: number,
  signal: AbortSignal,
): Promise<{ names: string[]; all: boolean }> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder.self)) {
    signal.throwIfAborted();
    if (names.length === most) return { names: names.toSorted(), all: false };
    names.push(name);
  }
  return { names: names.toSorted(), all: true };
}

async function look(
  folder: Folder,
  names: readonly string[],
  options: ListOptions,
): Promise<ListedEntry | undefined> {
  const name = names.at(-1) ?? '';
  const path = names.join('/');
  const withheld = options.withheld(names) ? { note: 'withheld' as const } : {};
  try {
    const stats = await lstat(folder.reach(name));
    if (stats.isFile()) return { path, kind: 'file', size: stats.size, ...withheld };
    if (stats.isSymbolicLink()) return { path, kind: 'link' };
    if (!stats.isDirectory()) return { path, kind: 'other' };
    return {
      path,
      kind: 'folder',
      ...(BULKY.has(name) && options.depth > 1 ? { note: 'not opened' as const } : {}),
      ...withheld,
    };
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
    // It went away meanwhile, or what stands in place of its bytes reaches nothing.
    return name.includes('\uFFFD') ? { path, kind: 'other', note: 'its name is not UTF-8' } : undefined;
  }
}

/** By name, level by level: what is in a folder comes right after it. */
function sorted(entries: readonly ListedEntry[]): readonly ListedEntry[] {
  return entries
    .map((entry) => ({ entry, key: entry.path.replaceAll('/', '\0') }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ entry }) => entry);
}
