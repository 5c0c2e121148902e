/** As much of a body as was allowed. */
export interface LimitedBody {
  readonly bytes: Buffer;
  /** There was more than the limit. */
  readonly truncated: boolean;
}

/** Reads a body up to `maxBytes` and then lets go of it: what lies beyond is never read into memory. */
export async function readLimited(body: AsyncIterable<unknown>, maxBytes: number): Promise<LimitedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('A body came as something else than bytes.');
    const room = maxBytes - size;
    const part = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, room));
    chunks.push(part);
    size += part.length;
    if (chunk.byteLength > room) return { bytes: Buffer.concat(chunks), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}
