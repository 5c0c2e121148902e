import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

const CHUNK = 256 * 1024;

/** The content of an open file in pieces of up to 256 KiB, from its beginning. Each piece is only good until the next. */
export async function* readChunks(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK, position);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** SHA-256 and length of what comes, in hexadecimal. Other work gets its turn between pieces. */
export async function hashOf(content: AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }> {
  const sha = createHash('sha256');
  let size = 0;
  for await (const piece of content) {
    sha.update(piece);
    size += piece.length;
  }
  return { hash: sha.digest('hex'), size };
}

/** Bytes in pieces, with a turn for other work between two. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    if (at > 0) await nextTurn();
    yield bytes.subarray(at, at + CHUNK);
  }
}

/** Passes the pieces on and throws at their end, before the last reader is done, when they are not what `hash` says. */
export async function* verified(
  content: AsyncIterable<Uint8Array>,
  hash: string,
  otherwise: () => Error,
): AsyncGenerator<Uint8Array> {
  const sha = createHash('sha256');
  for await (const piece of content) {
    sha.update(piece);
    yield piece;
  }
  if (sha.digest('hex') !== hash) throw otherwise();
}

/** Content with what is known of it. */
export interface HashedContent {
  readonly hash: string;
  readonly size: number;
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** Bytes as content. */
export async function contentOf(bytes: Uint8Array): Promise<HashedContent> {
  return { ...(await hashOf(inPieces(bytes))), pieces: () => inPieces(bytes) };
}
