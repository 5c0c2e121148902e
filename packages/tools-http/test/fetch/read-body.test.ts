import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBody } from '../../src/fetch/read-body.js';

/** A body in chunks, and how many bytes of it were taken. */
function bodyOf(bytes: Buffer, chunk = 1000) {
  const taken = { bytes: 0, closed: false };
  async function* chunks() {
    try {
      for (let at = 0; at < bytes.length; at += chunk) {
        const part = bytes.subarray(at, at + chunk);
        taken.bytes += part.length;
        yield part;
      }
    } finally {
      taken.closed = true;
    }
  }
  return { body: chunks(), taken };
}

const text = Buffer.from('héllo '.repeat(500));
const encoders = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync };

describe('readBody', () => {
  it.each(Object.entries(encoders))('undoes %s', async (name, encode) => {
    for (const chunk of [1, 100, 100_000]) {
      const { body } = bodyOf(encode(text), chunk);
      expect(await readBody(body, name.toUpperCase(), 10_000)).toEqual({ bytes: text, truncated: false });
    }
  });

  it('undoes deflate without its wrapper, and encodings on top of each other', async () => {
    expect((await readBody(bodyOf(deflateRawSync(text)).body, 'deflate', 10_000)).bytes).toEqual(text);
    const twice = brotliCompressSync(gzipSync(text));
    expect((await readBody(bodyOf(twice).body, 'gzip, identity, br', 10_000)).bytes).toEqual(text);
  });

  it.each(['zstd', 'gzip, compress', 'gzip, gzip, gzip, gzip', 'br;q=1'])(
    'leaves %s as it is, named',
    async (name) => {
      const { body } = bodyOf(text);
      expect(await readBody(body, name, 10_000)).toEqual({ bytes: text, truncated: false, encoding: name });
    },
  );

  it.each([undefined, '', 'identity', ' , '])('takes %j for no encoding', async (name) => {
    expect(await readBody(bodyOf(text).body, name, 10_000)).toEqual({ bytes: text, truncated: false });
  });

  it('stops at the limit and closes the source, also just at it', async () => {
    const { body, taken } = bodyOf(text);
    expect(await readBody(body, undefined, 1500)).toEqual({ bytes: text.subarray(0, 1500), truncated: true });
    expect(taken).toEqual({ bytes: 2000, closed: true });
    expect((await readBody(bodyOf(text).body, undefined, text.length)).truncated).toBe(false);
  });

  it.each(Object.entries(encoders))(
    'unpacks no more of a bomb in %s than the limit',
    async (name, encode) => {
      const { body, taken } = bodyOf(encode(Buffer.alloc(8_000_000)), 50);
      const { bytes, truncated } = await readBody(body, name, 100_000);
      expect([bytes.length, truncated, taken.closed]).toEqual([100_000, true, true]);
    },
  );

  it('holds the limit between two encodings, where the last one would swallow everything', async () => {
    // Empty gzip members decode to nothing, for ever: neither the wire nor the result is long.
    const nothing = Buffer.alloc(1_000_000, gzipSync(''));
    const { body } = bodyOf(gzipSync(nothing), 512);
    const read = await readBody(body, 'gzip, gzip', 200_000);
    expect(read).toEqual({ bytes: Buffer.alloc(0), truncated: true });
  });

  it('shows what was read of a packed body that is longer than the limit itself', async () => {
    const noise = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * index * 31) & 0xff));
    const packed = gzipSync(noise, { level: 0 });
    const { bytes, truncated } = await readBody(bodyOf(packed).body, 'gzip', 10_000);
    expect(truncated).toBe(true);
    expect(bytes.equals(noise.subarray(0, bytes.length))).toBe(true);
    expect(bytes.length).toBeGreaterThan(5_000);
  });

  it.each(['gzip', 'deflate', 'br'])('rejects what is not %s, and closes the source', async (name) => {
    const { body, taken } = bodyOf(Buffer.from(`\u0001${'no such thing'.repeat(1000)}`));
    await expect(readBody(body, name, 1_000_000)).rejects.toThrow(/header|decompress|distance|block|code/i);
    expect(taken.closed).toBe(true);
  });

  it('passes on the error of the connection, through every stage', async () => {
    const broken = () =>
      Readable.from(
        (async function* () {
          yield gzipSync(text).subarray(0, 20);
          throw new Error('connection lost');
        })(),
      );
    await expect(readBody(broken(), undefined, 1000)).rejects.toThrow('connection lost');
    await expect(readBody(broken(), 'gzip, gzip', 1000)).rejects.toThrow(/connection lost|header/);
    await expect(readBody(broken(), 'gzip', 1000)).rejects.toThrow('connection lost');
  });
});
