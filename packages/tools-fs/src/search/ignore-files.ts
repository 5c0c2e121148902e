import { closeSync, readSync } from 'node:fs';
import ignore from 'ignore';
import type { HeldFolder } from './held-folder.js';

/** The rules of one folder's ignore files, for paths below it. */
export interface IgnoreRules {
  /** How many parts of a path lead to the folder. */
  readonly depth: number;
  readonly test: (path: string) => { readonly ignored: boolean; readonly unignored: boolean };
}

/** In this order; what a later one says counts. */
const IGNORE_FILES = ['.gitignore', '.ignore'];
const MOST_BYTES = 64 * 1024;

/** Reads a folder's ignore files; undefined where it has none, or none that can be read. */
export function readIgnoreRules(
  folder: HeldFolder,
  names: ReadonlySet<string>,
  depth: number,
): IgnoreRules | undefined {
  const texts = IGNORE_FILES.filter((name) => names.has(name)).map((name) => readStart(folder, name));
  if (texts.join('').trim() === '') return undefined;
  const rules = ignore({ ignoreCase: false, allowRelativePaths: true }).add(texts.join('\n'));
  return { depth, test: (path) => rules.test(path) };
}

/**
 * Whether any of the rules, the innermost one first, says so. Folders end in '/'. The folder that the path is in has been
 * entered: where outer rules ignore it, inner ones had spoken for it.
 */
export function isIgnored(
  levels: readonly IgnoreRules[],
  names: readonly string[],
  folder: boolean,
): boolean {
  for (const { depth, test } of levels.toReversed()) {
    const above = names
      .slice(depth, -1)
      .map((name) => `${name}/`)
      .join('');
    const { ignored, unignored } = test(`${above}${names.at(-1) ?? ''}${folder ? '/' : ''}`);
    if (unignored) return false;
    if (ignored && !(above !== '' && test(above).ignored)) return true;
  }
  return false;
}

function readStart(folder: HeldFolder, name: string): string {
  try {
    const descriptor = folder.openFile(name);
    try {
      const buffer = Buffer.alloc(MOST_BYTES);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, MOST_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
