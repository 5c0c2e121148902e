import type { Excerpt } from './excerpt.js';
import type { FileReader } from './file-reader.js';
import { type FindFarLine, findLine } from './find-line.js';
import { takePage } from './take-page.js';
import { characterStart } from './utf8.js';

/** Where a page begins: at a line or at a byte; how many lines and bytes it may have. */
export interface PageRequest {
  readonly start: { readonly line: number } | { readonly offset: number };
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Looks for a line that is not near the start. */
  readonly findFar: FindFarLine;
  /** How many bytes before the page to read along, for the secrets rule. */
  readonly lookBack: number;
  /** The same for what comes after it. */
  readonly lookAhead: number;
}

/** A page of a file, as bytes. Offsets count bytes from the start of the file. */
export interface Page extends Excerpt {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly lines: number;
  readonly partial: boolean;
  /** The page reaches the end of the file. */
  readonly atEnd: boolean;
}

/** Why there is no page: the file is shorter, or the line is too far into it. */
export type NoPage = { readonly totalLines: number } | { readonly scanned: number; readonly line: number };

/** How many bytes a page is cut from. */
export function pageWindow({ maxBytes, lookAhead }: Pick<PageRequest, 'maxBytes' | 'lookAhead'>): number {
  // Four bytes more show whether the file goes on, and where the character at the cut begins.
  return maxBytes + Math.max(4, lookAhead);
}

/** Reads one page. It holds the page, what is around it and one chunk in memory, whatever the size of the file. */
export async function readPage(
  file: FileReader,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page | NoPage> {
  const { start } = request;
  const found = 'offset' in start ? start : await findLine(file, start.line, request.findFar);
  if (!('offset' in found)) return found;
  signal.throwIfAborted();
  const wanted = pageWindow(request);
  const first = Math.max(0, found.offset - request.lookBack);
  const read = await file.read(first, found.offset - first + wanted);
  const window = read.subarray(found.offset - first);
  const skip = 'offset' in start && found.offset > 0 ? characterStart(window, 0) : 0;
  const rest = window.subarray(skip);
  if (rest.length === 0 && 'line' in start && start.line > 1) return { totalLines: start.line - 1 };
  const fileEnds = window.length < wanted;
  const cut = takePage(rest, request, fileEnds);
  const from = found.offset - first + skip;
  return {
    bytes: rest.subarray(0, cut.bytes),
    read,
    from,
    to: from + cut.bytes,
    offset: found.offset + skip,
    lines: cut.lines,
    partial: cut.partial,
    atEnd: fileEnds && cut.bytes === rest.length,
  };
}
