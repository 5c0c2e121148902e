import type { FileHandle } from 'node:fs/promises';
import { readBytes } from '../text/read-bytes.js';
import { takePage } from '../text/take-page.js';
import { characterStart } from '../text/utf8.js';

/** A stretch of a file: whole lines, or a part of one that is longer than the most bytes. */
export interface Tail {
  readonly bytes: Buffer;
  /** What stands right before them, for the secrets rule. */
  readonly before: Buffer;
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

/** How much to show at most, and how many bytes before it to read along. */
export interface TailRequest {
  readonly lines: number;
  readonly maxBytes: number;
  readonly lookBack: number;
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
    before: read.subarray(0, start - first + from),
    offset: start + from,
    lines: count,
    nextOffset: partial ? start + window.length : start + finished,
    unfinished,
    partial,
    cut: count < lines && start + from > 0,
  };
}

/** What comes at and after `offset`: whole lines. An unfinished one is left for later. */
export async function readSince(
  file: FileHandle,
  offset: number,
  { lines, maxBytes, lookBack }: TailRequest,
): Promise<Tail> {
  // Four bytes more show where the character at a cut begins.
  const first = Math.max(0, offset - lookBack);
  const read = await readBytes(file, first, offset - first + maxBytes + 4);
  const window = read.subarray(offset - first);
  const page = takePage(window, { maxLines: lines, maxBytes }, false);
  const waits = page.partial && window.length <= maxBytes;
  const bytes = window.subarray(0, waits ? 0 : page.bytes);
  const rest = window.subarray(bytes.length);
  return {
    bytes,
    before: read.subarray(0, offset - first),
    offset,
    lines: waits ? 0 : page.lines,
    nextOffset: offset + bytes.length,
    unfinished: window.length <= maxBytes ? rest.length - (rest.lastIndexOf(NEWLINE) + 1) : 0,
    partial: page.partial && !waits,
    cut: window.length > maxBytes || rest.includes(NEWLINE),
  };
}
