import type { Stopped } from './grep-file.js';

/** Why an answer is not complete, and what to do. */
export function stopNote(stopped: Stopped | undefined, milliseconds: number): readonly string[] {
  if (stopped === undefined) return [];
  return stopped === 'limit'
    ? ['not all: the limit is reached; narrow the path or the globs']
    : [`not all: stopped after ${milliseconds} ms; search a folder further down`];
}

/** A name may hold a line break; quoted, it cannot pass for a line of its own. */
export function quotePath(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}
