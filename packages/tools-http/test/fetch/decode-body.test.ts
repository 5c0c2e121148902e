import { describe, expect, it } from 'vitest';
import { decodeBody } from '../../src/fetch/decode-body.js';

function decode(
  bytes: Uint8Array | string,
  contentType?: string,
  more: { contentEncoding?: string; truncated?: boolean } = {},
) {
  return decodeBody(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, {
    contentType,
    contentEncoding: more.contentEncoding,
    truncated: more.truncated ?? false,
  });
}

describe('decodeBody', () => {
  it.each([
    'text/plain',
    'text/html; charset=utf-8',
    'application/json',
    'Application/Problem+JSON; charset="UTF-8"',
    'application/xml',
    'application/atom+xml',
    'image/svg+xml',
    'application/x-www-form-urlencoded',
    'text/event-stream',
    'text/plain; charset=made-up',
  ])('reads %s as text', (type) => {
    expect(decode('héllo', type)).toMatchObject({ text: 'héllo' });
  });

  it.each([
    'image/png',
    'application/octet-stream',
    'application/zip',
    'video/mp4',
    'application/pdf',
    'font/woff2',
  ])('does not show %s', (type) => {
    expect(decode('PNG', type)).toEqual({ binary: type });
  });

  it('uses the charset that is named', () => {
    expect(decode(Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'text/plain; charset=ISO-8859-1')).toEqual({
      text: 'café',
      charset: 'windows-1252',
    });
    expect(decode(Buffer.from('hé', 'utf16le'), 'text/plain;charset=utf-16le')).toEqual({
      text: 'hé',
      charset: 'utf-16le',
    });
    expect(decode(Buffer.from([0x83, 0x65, 0x83, 0x58]), 'text/html; charset=Shift_JIS')).toMatchObject({
      text: 'テス',
    });
  });

  it('marks what is not valid in its charset instead of failing', () => {
    expect(decode(Buffer.from([0x61, 0xe9, 0x62]), 'text/plain')).toMatchObject({ text: 'a\uFFFDb' });
  });

  it('drops a character cut in half at the limit', () => {
    const bytes = Buffer.from('aあ');
    for (const length of [2, 3]) {
      expect(decode(bytes.subarray(0, length), 'text/plain', { truncated: true })).toMatchObject({
        text: 'a',
      });
    }
  });

  it('takes a body without a type for text when it is UTF-8 without NUL', () => {
    expect(decode('plain')).toMatchObject({ text: 'plain' });
    expect(decode(Buffer.from([0xff, 0x61]))).toEqual({ binary: 'no content type, not UTF-8' });
    expect(decode('a\0b')).toEqual({ binary: 'no content type, with NUL bytes' });
    expect(decode('a\0b', 'text/plain')).toEqual({ binary: 'text/plain, with NUL bytes' });
  });

  it('does not unpack a body', () => {
    expect(decode('x', 'text/plain', { contentEncoding: 'gzip' })).toEqual({
      binary: 'text/plain, gzip-encoded',
    });
    expect(decode('x', 'text/plain', { contentEncoding: 'identity' })).toMatchObject({ text: 'x' });
  });
});
