import { readSync } from 'node:fs';

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/** The bytes of an open file from `from` to `to`; fewer where it ends before. */
export function readSpan(descriptor: number, from: number, to: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(descriptor, buffer, filled, buffer.length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}

/** Whole lines of a file. `bytes` is good until the next chunk is asked for. */
export interface Chunk {
  readonly bytes: Buffer;
  /** Where in the file they begin. */
  readonly position: number;
}

/** Reads a file into `buffer`, again and again; a line longer than it comes in parts. */
export function* readChunks(descriptor: number, buffer: Buffer): Generator<Chunk, void, undefined> {
  let position = 0;
  let filled = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, filled, buffer.length - filled, position + filled);
    filled += read;
    // A regular file gives less than was asked for only at its end: small files need no second call.
    const atEnd = read === 0 || filled < buffer.length;
    const end = atEnd ? filled : buffer.lastIndexOf(NEWLINE, filled - 1) + 1 || buffer.length;
    if (end > 0) yield { bytes: buffer.subarray(0, end), position };
    if (atEnd) return;
    buffer.copyWithin(0, end, filled);
    position += end;
    filled -= end;
  }
}

/** Tells the numbers of lines by the bytes they begin at, for bytes that grow: it goes through the file at most once. */
export function lineNumbers(descriptor: number): (offset: number) => number {
  // Most files have no match, and then need no memory.
  let chunk: Buffer | undefined;
  let counted = 0;
  let newlines = 0;
  return (offset) => {
    chunk ??= Buffer.allocUnsafe(CHUNK);
    while (counted < offset) {
      const read = readSync(descriptor, chunk, 0, Math.min(CHUNK, offset - counted), counted);
      if (read === 0) break;
      newlines += countNewlines(chunk.subarray(0, read));
      counted += read;
    }
    return newlines + 1;
  };
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
