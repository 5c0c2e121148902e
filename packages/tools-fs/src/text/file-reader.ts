import type { FileHandle } from 'node:fs/promises';
import { readBytes } from './read-bytes.js';

/** Reads from an open file, up to the size it had when it was opened. */
export interface FileReader {
  /** Up to `length` bytes from `position`; fewer only where the file ends. The same bytes may be given out again. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Reads the first `ahead` bytes at once, with the first of them that is asked for: a small file is read only once. */
export function fileReader(file: FileHandle, size: number, ahead: number): FileReader {
  // Files that the system makes up as they are read, such as those of /proc, say they are empty.
  const known = size === 0 ? Number.POSITIVE_INFINITY : size;
  const kept = Math.min(ahead, known);
  let head: Promise<Buffer> | undefined;
  return {
    async read(position, length) {
      const end = Math.min(position + length, known);
      if (end <= kept) return (await (head ??= readBytes(file, 0, kept))).subarray(position, end);
      return readBytes(file, position, Math.max(0, end - position));
    },
  };
}
