import type { FileHandle } from 'node:fs/promises';

/** Where a line begins, or how many lines there are when the file has fewer; or that the search was too long. */
export type LineSearch =
  | { readonly offset: number }
  | { readonly totalLines: number }
  | { readonly scanned: number; readonly line: number };

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * Finds the byte at which the 1-based `line` begins, reading at most `maxBytes` in chunks of 64 KiB: memory stays the
 * same however large the file is, and the event loop runs between chunks.
 */
export async function findLine(
  file: FileHandle,
  line: number,
  maxBytes: number,
  signal: AbortSignal,
): Promise<LineSearch> {
  if (line === 1) return { offset: 0 };
  const chunk = Buffer.allocUnsafe(CHUNK);
  let position = 0;
  let newlines = 0;
  let last = NEWLINE;
  while (position < maxBytes) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK, position);
    if (bytesRead === 0) return { totalLines: newlines + (last === NEWLINE ? 0 : 1) };
    // A loop over bytes: one search call a newline costs far more where lines are short.
    for (let index = 0; index < bytesRead; index++) {
      if (chunk[index] === NEWLINE && ++newlines === line - 1) return { offset: position + index + 1 };
    }
    last = chunk[bytesRead - 1] ?? NEWLINE;
    position += bytesRead;
  }
  return { scanned: position, line: newlines + 1 };
}
