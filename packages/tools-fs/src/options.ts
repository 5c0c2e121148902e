import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { ChangeLog } from './changes/change-log.js';

/** A place the tools may reach: a folder, or one single file. */
export interface FsRoot {
  /** Absolute path. It may be a symbolic link itself, and need not exist yet. */
  readonly path: string;
  readonly mode: 'r' | 'rw';
}

/** How much one call may do. */
export interface FsLimits {
  /** Most bytes of a file in one answer (32 KiB). */
  readonly pageBytes: number;
  /** Most bytes `write_file` takes and `edit_file` edits, and of which `read_file` gives the hash (5 MiB). */
  readonly writeBytes: number;
  /** Most bytes of a file that is replaced or deleted while a change log keeps its content (64 MiB). */
  readonly undoBytes: number;
  /** Most bytes `read_file` goes through in search of `startLine` (8 GiB). */
  readonly scanBytes: number;
  /** Most entries of one listing (500). */
  readonly listEntries: number;
  /** Most lines or files of one search (1,000); a call may ask for fewer. */
  readonly searchResults: number;
  /** How long one search may take, in milliseconds (10,000); then it answers what it has. */
  readonly searchMs: number;
}

/** Options of `fsTools`. */
export interface FsToolsOptions {
  /** Roots by the name the model uses. The first one is the default. */
  readonly roots: Readonly<Record<string, FsRoot>>;
  /** More names that are never read, written or opened: `name` or with `*`, compared with every part of a path. */
  readonly deny?: readonly string[];
  /**
   * Secret values that no tool shows or writes. Asked at each use; answer the same array until they change. Values under
   * 8 characters, and plain words under 16, are not looked for.
   */
  readonly secrets?: () => readonly string[];
  /** Keeps what was there before each change. Without one nothing can be reverted, and every change is `destructive`. */
  readonly changeLog?: ChangeLog;
  /**
   * Keys the hashes the tools show, so that they give no secret away. Give the same one after a restart for what was read
   * before it; a random one when absent.
   */
  readonly hashKey?: string;
  readonly limits?: Partial<FsLimits>;
}

/** A root under its name. */
export interface Root extends FsRoot {
  readonly name: string;
}

const defaults: FsLimits = {
  pageBytes: 32 * 1024,
  writeBytes: 5 * 1024 * 1024,
  undoBytes: 64 * 1024 * 1024,
  scanBytes: 8 * 1024 * 1024 * 1024,
  searchResults: 1000,
  searchMs: 10_000,
  listEntries: 500,
};

/** Limits with defaults filled in. Throws `InvalidRequestError` for one that is no positive whole number. */
export function readLimits(limits: Partial<FsLimits> = {}): FsLimits {
  const merged = { ...defaults, ...limits };
  for (const [name, value] of Object.entries(merged)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new InvalidRequestError(`fsTools limits.${name} is ${value}: give a whole number from 1.`);
    }
  }
  if (merged.pageBytes < 64) {
    throw new InvalidRequestError(
      `fsTools limits.pageBytes is ${merged.pageBytes}: a page needs at least 64 bytes.`,
    );
  }
  return merged;
}

/** Roots as a list. Throws `InvalidRequestError` when there is none, or one has a bad name or a relative path. */
export function readRoots(roots: FsToolsOptions['roots']): readonly [Root, ...Root[]] {
  const list = Object.entries(roots).map(([name, { path, mode }]): Root => {
    if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name)) {
      throw new InvalidRequestError(
        `fsTools root name '${name}': use a lower-case word such as 'components' (letters, digits, _ and -).`,
      );
    }
    if (!isAbsolute(path)) {
      throw new InvalidRequestError(`fsTools root '${name}' has the path '${path}': give an absolute path.`);
    }
    return { name, path, mode };
  });
  const [first, ...rest] = list;
  if (first === undefined) throw new InvalidRequestError('fsTools got no roots: name at least one.');
  return [first, ...rest];
}

/** Throws `InvalidRequestError` when tools could reach what the change log keeps, or it lies around a root. */
export function keepOutOfReach(folder: string | undefined, roots: readonly Root[]): void {
  if (folder === undefined) return;
  for (const { name, path } of roots) {
    if (!holds(path, folder) && !holds(folder, path)) continue;
    throw new InvalidRequestError(
      `The change log's folder '${folder}' and fsTools root '${name}' ('${path}') lie in one another: use another folder.`,
    );
  }
}

/** The same for what the paths lead to: a root or a folder above either may be a link. */
export async function keepTargetsOutOfReach(
  folder: string | undefined,
  roots: readonly Root[],
): Promise<void> {
  if (folder === undefined) return;
  const resolved = await Promise.all(
    roots.map(async (root) => ({ ...root, path: await resolvedPath(root.path) })),
  );
  keepOutOfReach(await resolvedPath(folder), resolved);
}

/** What a path leads to, as far as it is there. */
async function resolvedPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await resolvedPath(above), basename(path));
  }
}

function holds(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path.split(sep)[0] !== '..' && !isAbsolute(path);
}
