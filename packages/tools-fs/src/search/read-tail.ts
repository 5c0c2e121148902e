import type { FileHandle } from 'node:fs/promises';
import type { Excerpt } from '../text/excerpt.js';
import { readBytes } from '../text/read-bytes.js';
import { takePage } from '../text/take-page.js';
import { characterStart } from '../text/utf8.js';

/** A stretch of a file: whole lines, or a part of one that is longer than the most bytes. */
export interface Tail extends Excerpt {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly lines: number;
  /** Where to go on: a line begins there, or the rest of a long one. */
  readonly nextOffset: number;
  /** Bytes of a last line that has no line break yet. */
  readonly unfinished: number;
  /** Only a part of a line. */
  readonly partial: boolean;
  /** The most bytes were fewer than the lines asked for. */
  readonly cut: boolean;
}

/** How much to show at most, and how many bytes around it to read along. */
export interface TailRequest {
  readonly lines: number;
  readonly maxBytes: number;
  readonly lookBack: number;
  readonly lookAhead: number;
}

const NEWLINE = 0x0a;

/** The last `lines` lines of the first `size` bytes, reading `maxBytes` of them. An unfinished line is one of them. */
export async function readLastLines(
  file: FileHandle,
  size: number,
  { lines, maxBytes, lookBack }: TailRequest,
): Promise<Tail> {
  const start = Math.max(0, size - maxBytes);
  const first = Math.max(0, start - lookBack);
  const read = await readBytes(file, first, size - first);
  const window = read.subarray(start - first);
  const finished = window.lastIndexOf(NEWLINE) + 1;
  const unfinished = window.length - finished;
  let from = window.length;
  let count = 0;
  while (count < lines && from > 0) {
    // The line break right before `from` ends the line that is looked for now.
    const before = from === 1 ? -1 : window.lastIndexOf(NEWLINE, from - 2);
    if (before === -1 && start > 0) break;
    from = before + 1;
    count++;
  }
  const partial = count === 0 && window.length > 0;
  if (partial) from = characterStart(window, 0);
  return {
    bytes: window.subarray(from),
    read,
    from: start - first + from,
    to: read.length,
    offset: start + from,
    lines: count,
    nextOffset: partial ? start + window.length : start + finished,
    unfinished,
    partial,
    cut: count < lines && start + from > 0,
  };
}

/** What comes after `offset` in the first `size` bytes: whole lines. An unfinished one is left for later. */
export async function readSince(
  file: FileHandle,
  size: number,
  offset: number,
  { lines, maxBytes, lookBack, lookAhead }: TailRequest,
): Promise<Tail> {
  const first = Math.max(0, offset - lookBack);
  // Four bytes more show where the character at a cut begins.
  const last = Math.min(size, offset + maxBytes + Math.max(4, lookAhead));
  const read = await readBytes(file, first, last - first);
  // Whoever made the offset up may have hit the middle of a character.
  const from = offset > 0 ? characterStart(read, offset - first) : 0;
  const window = read.subarray(from, from + maxBytes + 4);
  const page = takePage(window, { maxLines: lines, maxBytes }, false);
  const waits = page.partial && window.length <= maxBytes;
  const bytes = window.subarray(0, waits ? 0 : page.bytes);
  const rest = window.subarray(bytes.length);
  return {
    bytes,
    read,
    from,
    to: from + bytes.length,
    offset: first + from,
    lines: waits ? 0 : page.lines,
    nextOffset: first + from + bytes.length,
    unfinished: window.length <= maxBytes ? rest.length - (rest.lastIndexOf(NEWLINE) + 1) : 0,
    partial: page.partial && !waits,
    cut: window.length > maxBytes || rest.includes(NEWLINE),
  };
}
