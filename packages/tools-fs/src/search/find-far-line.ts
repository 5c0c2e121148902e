import { readSync } from 'node:fs';
import type { LineSearch } from '../text/find-line.js';
import type { LineRequest } from './requests.js';
import { timeLimit } from './time-limit.js';

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/** Finds the byte at which a 1-based line begins, in a chunk of memory. */
export function findFarLine({ descriptor, line, mostBytes, milliseconds }: LineRequest): LineSearch {
  const late = timeLimit(milliseconds);
  const chunk = Buffer.allocUnsafe(CHUNK);
  let position = 0;
  let newlines = 0;
  let last = NEWLINE;
  while (position < mostBytes && !late()) {
    const read = readSync(descriptor, chunk, 0, CHUNK, position);
    if (read === 0) return { totalLines: newlines + (last === NEWLINE ? 0 : 1) };
    const bytes = chunk.subarray(0, read);
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      if (++newlines === line - 1) return { offset: position + at + 1 };
    }
    last = bytes[read - 1] ?? NEWLINE;
    position += read;
  }
  return { scanned: position, line: newlines + 1 };
}
