import type { FileReader } from './file-reader.js';

/** Where a line begins, or how many lines there are when the file has fewer; or that the search was too long. */
export type LineSearch =
  | { readonly offset: number }
  | { readonly totalLines: number }
  | { readonly scanned: number; readonly line: number };

/** Looks for a line from the beginning of the file on, away from this thread. */
export type FindFarLine = (line: number) => Promise<LineSearch>;

/** What is near the start of the file is not worth another thread. */
const NEAR = 256 * 1024;
const NEWLINE = 0x0a;

/** Finds the byte at which the 1-based `line` begins, in 256 KiB of memory, or has it found by `far`. */
export async function findLine(file: FileReader, line: number, far: FindFarLine): Promise<LineSearch> {
  if (line === 1) return { offset: 0 };
  const bytes = await file.read(0, NEAR);
  let newlines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (++newlines === line - 1) return { offset: at + 1 };
  }
  if (bytes.length === NEAR) return far(line);
  const unended = bytes.length > 0 && bytes.at(-1) !== NEWLINE;
  return { totalLines: newlines + (unended ? 1 : 0) };
}
