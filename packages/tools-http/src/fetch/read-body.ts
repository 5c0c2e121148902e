import { Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** What was read of a body. */
export interface ReadBody {
  readonly bytes: Buffer;
  /** There was more than the limit. */
  readonly truncated: boolean;
  /** An encoding that is not undone: `bytes` are still encoded. */
  readonly encoding?: string;
}

/** Encodings this package undoes, in the form of a request header. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const MOST_ENCODINGS = 3;
// What was cut at the limit has no proper end, and that is no error here.
const endsAnywhere = { finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS = new Map<string, (first: number) => Transform>([
  ['gzip', () => createGunzip(endsAnywhere)],
  ['x-gzip', () => createGunzip(endsAnywhere)],
  // Some servers send it without the wrapper that the standard asks for; its first byte tells.
  [
    'deflate',
    (first) => ((first & 0x0f) === 8 ? createInflate(endsAnywhere) : createInflateRaw(endsAnywhere)),
  ],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
]);

/**
 * Reads a body up to `maxBytes` and then lets go of it. Encodings are undone while it streams, and the limit holds for
 * the bytes at every stage: on the wire, between two encodings, decoded. So nothing that unpacks to more is ever held,
 * or unpacked further. Rejects with what a decoder finds wrong.
 */
export async function readBody(
  body: AsyncIterable<unknown>,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<ReadBody> {
  const encodings = (contentEncoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const known = encodings.length <= MOST_ENCODINGS && encodings.every((name) => DECODERS.has(name));
  const stage: Stage = { cut: false };
  let bytes = limited(body, maxBytes, stage);
  if (known)
    for (const name of encodings.toReversed()) bytes = limited(decoded(bytes, name), maxBytes, stage);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return {
    bytes: Buffer.concat(chunks),
    truncated: stage.cut,
    ...(known ? {} : { encoding: encodings.join(', ') }),
  };
}

/** Shared by the stages: one of them ended early. */
interface Stage {
  cut: boolean;
}

async function* limited(
  source: AsyncIterable<unknown>,
  maxBytes: number,
  stage: Stage,
): AsyncGenerator<Buffer> {
  let room = maxBytes;
  for await (const chunk of source) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('A body came as something else than bytes.');
    const part = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, room));
    room -= part.length;
    if (part.length > 0) yield part;
    if (chunk.byteLength > part.length) {
      stage.cut = true;
      return;
    }
  }
}

async function* decoded(source: AsyncGenerator<Buffer>, encoding: string): AsyncGenerator<unknown> {
  const first = await source.next();
  if (first.done === true) return;
  const decoder = DECODERS.get(encoding)?.(first.value[0] ?? 0);
  if (decoder === undefined) throw new TypeError(`No decoder for ${encoding}.`);
  const input = Readable.from(prepend(first.value, source));
  input.on('error', (error) => decoder.destroy(error));
  try {
    yield* input.pipe(decoder);
  } finally {
    input.destroy();
    decoder.destroy();
  }
}

async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
