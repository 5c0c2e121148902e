import { describe, expect, it } from 'vitest';
import { classifyBody, decodeText } from '../../src/page/classify-body.js';

const classify = (body: Uint8Array | string, type?: string, truncated = false) =>
  classifyBody(Buffer.from(body), type, truncated);
const read = (body: Uint8Array | string, type?: string) => {
  const about = classify(body, type);
  return about.kind === 'binary' ? about.what : decodeText(Buffer.from(body), about.charset, false);
};

describe('classifyBody', () => {
  it.each([
    'text/plain',
    'application/xml',
    'application/atom+xml',
    'image/svg+xml',
    'application/x-www-form-urlencoded',
    'text/event-stream',
    'text/plain; charset=made-up',
    'application/javascript',
  ])('reads %s as text', (type) => {
    expect([classify('héllo', type).kind, read('héllo', type)]).toEqual(['text', 'héllo']);
  });

  it('knows pages and JSON', () => {
    expect(classify('x', 'Text/HTML; charset=utf-8').kind).toBe('page');
    expect(classify('x', 'application/xhtml+xml').kind).toBe('page');
    expect(classify('\n <!DOCTYPE html><p>x').kind).toBe('page');
    expect(classify('<html lang=en>').kind).toBe('page');
    expect(classify('<htmlish>').kind).toBe('text');
    expect(classify('{}', 'Application/Problem+JSON; charset="UTF-8"').kind).toBe('json');
    expect(classify('{}', 'application/jsonp').kind).toBe('binary');
  });

  it.each([
    'image/png',
    'application/octet-stream',
    'application/zip',
    'video/mp4',
    'application/pdf',
    'font/woff2',
  ])('does not show %s', (type) => {
    expect(classify('PNG', type)).toEqual({ kind: 'binary', what: type });
  });

  it.each([
    ['the header', 'text/plain; charset=ISO-8859-1', Buffer.from('café', 'latin1')],
    [
      'the header, over the page',
      'text/html; charset=latin1',
      Buffer.from('<meta charset=utf-8>café', 'latin1'),
    ],
    ['a mark, over the header', 'text/plain; charset=latin1', Buffer.from('\ufeffcafé')],
    ['a mark of UTF-16', 'text/plain', Buffer.from('\ufeffcafé', 'utf16le')],
    ['a meta element', 'text/html', Buffer.from('<head><meta charset="windows-1252">café', 'latin1')],
    [
      'a meta element of old',
      'text/html',
      Buffer.from('<meta http-equiv=x content="text/html; charset=latin1">café', 'latin1'),
    ],
    ['a meta element that cannot be', 'text/html', Buffer.from('<meta charset=utf-16>café')],
    [
      'an XML declaration',
      'application/xml',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>café', 'latin1'),
    ],
    ['nothing at all', 'text/plain', Buffer.from('café')],
  ])('takes the charset of %s', (_what, type, bytes) => {
    expect(read(bytes, type)).toMatch(/café$/);
  });

  it('reads other scripts, and marks what is not valid in the charset', () => {
    expect(read(Buffer.from([0x83, 0x65, 0x83, 0x58]), 'text/html; charset=Shift_JIS')).toBe('テス');
    expect(read(Buffer.from([0x61, 0xe9, 0x62]), 'text/plain')).toBe('a\uFFFDb');
  });

  it('takes a body without a type for text when it is UTF-8 without NUL', () => {
    expect(read('plain')).toBe('plain');
    expect(read(Buffer.from([0xff, 0x61]))).toBe('no content type, not UTF-8');
    expect(read('a\0b')).toBe('no content type, with NUL bytes');
    expect(read('a\0b', 'text/plain')).toBe('text/plain, with NUL bytes');
  });
});

describe('decodeText', () => {
  it('drops a character cut in half', () => {
    const bytes = Buffer.from('aあ');
    for (const length of [2, 3]) expect(decodeText(bytes.subarray(0, length), 'utf-8', true)).toBe('a');
  });
});
