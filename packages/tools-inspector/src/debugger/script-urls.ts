import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidRequestError } from '@harperfast/agent-core/contracts';

const NEAR = 5;

/** The URL V8 has for a file: of a URL itself, of an absolute path, or of a path below `root`. Follows links. */
export async function scriptUrl(path: string, root: string | undefined): Promise<string> {
  if (/^(?:file|node|data|https?):/.test(path)) return path;
  if (!isAbsolute(path) && root === undefined) {
    throw new InvalidRequestError(
      `'${path}' is relative, and there is no root: give an absolute path or a file: URL`,
    );
  }
  const file = resolve(root ?? '/', path);
  return pathToFileURL(await realpath(file).catch(() => file)).href;
}

/**
 * A pattern for this URL, with or without a query, as loaders add one to load a file anew. `owner` changes nothing but
 * its text: V8 refuses the same pattern at the same line twice within a session.
 */
export function exactUrl(url: string, owner: string): string {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `^${escaped}(?:\\?.*)?${owner === '' ? '' : `(?:${owner}){0}`}$`;
}

/** Of the URLs those that may have been meant: the same file name first, then the same beginning of it. */
export function nearUrls(url: string, loaded: readonly string[]): readonly string[] {
  const name = fileName(url).toLowerCase();
  const stem = name.replace(/\.[^.]*$/, '');
  const score = (candidate: string) => {
    const other = fileName(candidate).toLowerCase();
    if (other === name) return 2;
    return stem !== '' && other.replace(/\.[^.]*$/, '') === stem ? 1 : 0;
  };
  const files = [...new Set(loaded)].filter((candidate) => candidate.startsWith('file:'));
  const scored = files.map((candidate) => ({ candidate, points: score(candidate) }));
  return scored
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, NEAR)
    .map(({ candidate }) => candidate);
}

function fileName(url: string): string {
  const path = url.replace(/\?.*$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}
