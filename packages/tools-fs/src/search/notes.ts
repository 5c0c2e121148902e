import type { Stopped } from './grep-file.js';

/** Why an answer is not complete, and what to do. */
export function stopNote(stopped: Stopped | undefined, milliseconds: number): readonly string[] {
  if (stopped === undefined) return [];
  return stopped === 'limit'
    ? ['not all: the limit is reached; narrow the path or the globs']
    : [`not all: stopped after ${milliseconds} ms; search a folder further down`];
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const ODD = /[\u0000-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A name may hold a line break, or characters that are not seen or turn the others round; quoted, with those written out,
 * it cannot pass for a line of its own or for another name.
 */
export function quotePath(path: string): string {
  if (path.search(ODD) === -1) return path;
  return JSON.stringify(path).replace(ODD, (odd) => `\\u${odd.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
