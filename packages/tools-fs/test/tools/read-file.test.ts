import { mkdtemp, open, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ToolOutput } from '@harperfast/agent-core/contracts';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FsLimits } from '../../src/options.js';
import { callTool, toolContext } from '../support/call-tool.js';
import { toolsWith } from '../support/tree.js';

const pageData = z.object({
  content: z.string(),
  size: z.number(),
  startLine: z.number().optional(),
  endLine: z.number().optional(),
  totalLines: z.number().optional(),
  nextStartLine: z.number().optional(),
  nextOffset: z.number().optional(),
});

async function setUp(limits: Partial<FsLimits> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'read-file-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const tools = toolsWith({ roots: { components: { path: root, mode: 'r' } }, limits }, 'descriptor');
  const read = (input: object, signal?: AbortSignal) =>
    callTool(tools, 'read_file', { path: 'f', ...input }, signal);
  const put = (content: string | Uint8Array) => writeFile(join(root, 'f'), content);
  return { root, read, put, file: join(root, 'f') };
}

const lineCount = (content: string) =>
  content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0);

const page = ({ data }: ToolOutput) => pageData.parse(data);

describe('read_file', () => {
  it('shows a small file whole, says its lines and leaves it as it is', async () => {
    const { read, put } = await setUp();
    await put('a\r\nb\r\n');
    expect(await read({})).toEqual({
      text: '[f in components: lines 1-2 of 2; 6 bytes in all; lines end in CRLF]\na\r\nb\r\n',
      data: {
        root: 'components',
        path: 'f',
        size: 6,
        offset: 0,
        startLine: 1,
        endLine: 2,
        totalLines: 2,
        content: 'a\r\nb\r\n',
      },
    });
  });

  it.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n\n', 2],
  ])('counts the lines of %j as %i', async (content, totalLines) => {
    const { read, put } = await setUp();
    await put(content);
    expect(page(await read({}))).toMatchObject({ content, totalLines });
  });

  it('reads the lines asked for and says where to go on', async () => {
    const { read, put } = await setUp();
    await put('one\ntwo\nthree\nfour\n');
    const answer = await read({ startLine: 2, maxLines: 2 });
    expect(answer.text).toBe(
      '[f in components: lines 2-3; 19 bytes in all; go on with startLine 4]\ntwo\nthree\n',
    );
    expect(answer.truncated).toBe(true);
    expect(page(await read({ startLine: 4 }))).toMatchObject({ content: 'four\n', totalLines: 4 });
    expect((await read({ startLine: 5 })).text).toBe(
      '[f in components: 4 lines, 19 bytes; startLine 5 is past the end]',
    );
    expect((await read({ startLine: 99 })).text).toContain('4 lines');
  });

  it('keeps to 32 KiB of whole lines by default', async () => {
    const { read, put } = await setUp();
    await put(`${'x'.repeat(99)}\n`.repeat(1000));
    const first = page(await read({}));
    expect(first).toMatchObject({ startLine: 1, endLine: 327, nextStartLine: 328 });
    expect(first.content.length).toBe(32_700);
  });

  it('gives a line longer than a page in parts, by offset', async () => {
    const { read, put } = await setUp();
    await put(`short\n${'x'.repeat(3_000_000)}\nlast\n`);
    expect(page(await read({}))).toMatchObject({ content: 'short\n', nextStartLine: 2 });
    const part = await read({ startLine: 2 });
    expect(part.text).toContain(
      'part of line 2, bytes 6-32774; 3000012 bytes in all; go on with offset 32774, or behind this line with startLine 3]',
    );
    expect(page(await read({ offset: 32774 }))).toMatchObject({ nextOffset: 65542 });
    expect(page(await read({ offset: 2_999_000 })).content).toBe(`${'x'.repeat(1006)}\nlast\n`);
    expect(page(await read({ startLine: 3 })).content).toBe('last\n');
    expect((await read({ offset: 5_000_000 })).text).toContain(
      'nothing at offset 5000000; 3000012 bytes in all',
    );
  });

  it('refuses startLine together with offset', async () => {
    const { read, put } = await setUp();
    await put('a');
    await expect(read({ startLine: 1, offset: 0 })).rejects.toThrow(
      'startLine 1 and offset 0 exclude each other',
    );
  });

  it('puts a file together again from its pages, whatever is in it', async () => {
    const { read, put } = await setUp({ pageBytes: 64 });
    const line = fc.string({
      unit: fc.constantFrom('a', 'é', 'あ', '😀', '\r', '\t', '\uFEFF'),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (lines, byOffset) => {
        const content = lines.join('\n');
        fc.pre(!content.startsWith('\uFEFF'));
        await put(content);
        let joined = '';
        let next: object | undefined = byOffset ? { offset: 0 } : {};
        let total: number | undefined;
        while (next !== undefined) {
          const got = page(await read(next));
          expect(Buffer.byteLength(got.content)).toBeLessThanOrEqual(64);
          joined += got.content;
          total = got.totalLines ?? total;
          if (got.nextOffset === undefined) break;
          next =
            byOffset || got.nextStartLine === undefined
              ? { offset: got.nextOffset }
              : { startLine: got.nextStartLine };
        }
        expect(joined).toBe(content);
        expect(joined).not.toContain('\uFFFD');
        expect(total ?? lineCount(content)).toBe(lineCount(content));
      }),
      { numRuns: 150 },
    );
  });

  it('moves an offset inside a character on to the next one', async () => {
    const { read, put } = await setUp();
    await put('あい😀う');
    for (const offset of [1, 2, 3]) expect(page(await read({ offset })).content).toBe('い😀う');
    for (const offset of [7, 8, 9, 10]) expect(page(await read({ offset })).content).toBe('う');
  });

  it('never cuts a character at the border of a page or of a read', async () => {
    const { read, put } = await setUp();
    for (const border of [1024, 4096, 32 * 1024, 64 * 1024]) {
      for (let before = border - 4; before <= border + 1; before++) {
        await put(`${'a'.repeat(before)}あ\nnext\n`);
        let joined = '';
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const got = page(await read({ offset }));
          joined += got.content;
          offset = got.nextOffset;
        }
        expect(joined).toBe(`${'a'.repeat(before)}あ\nnext\n`);
      }
    }
  });

  it('keeps a byte order mark and says so', async () => {
    const { read, put } = await setUp();
    await put('\uFEFFhello\n');
    const answer = await read({});
    expect(page(answer).content).toBe('\uFEFFhello\n');
    expect(answer.text).toContain('begins with a byte order mark');
  });

  it('refuses text in another encoding by name', async () => {
    const { read, put } = await setUp();
    await put(Buffer.from('caf\xe9=1\nport=1\n', 'latin1'));
    await expect(read({})).rejects.toThrow(/\(14 bytes\) is not valid UTF-8/);
    await put(Buffer.from('\uFEFFhello', 'utf16le'));
    expect((await read({})).text).toBe('[f in components: UTF-16 text (little endian), 12 bytes; not shown]');
  });

  it.each([
    ['a gzip archive', gzipSync('hello')],
    ['a PNG image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['a native binary (ELF)', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])],
    ['a binary file', Buffer.from('text\0text')],
    ['a binary file', Buffer.concat([Buffer.from('x\n'.repeat(8192)), Buffer.from('\0')])],
  ])('shows of %s only kind and size', async (what, bytes) => {
    const { read, put } = await setUp();
    await put(bytes);
    const answer = await read({});
    expect(answer.text).toBe(`[f in components: ${what}, ${bytes.length} bytes; not shown]`);
    expect(answer.data).toMatchObject({ kind: what, size: bytes.length });
  });

  it('withholds the part that holds a private key, also from behind its first line, and shows the rest', async () => {
    const { read, put } = await setUp({ pageBytes: 64 });
    const key = `-----BEGIN PRIVATE KEY-----\n${'TUlJRXZRSUJBREFOQmdrcWhraUc5dzBC\n'.repeat(6)}-----END PRIVATE KEY-----\n`;
    await put(`before\n${key}after\n`);
    for (const startLine of [1, 2, 3, 4, 8, 9])
      await expect(read({ startLine })).rejects.toThrow(/private key/);
    for (let offset = 35; offset < 7 + key.indexOf('-----END'); offset += 20)
      await expect(read({ offset })).rejects.toThrow(/private key/);
    expect(page(await read({ maxLines: 1 })).content).toBe('before\n');
    expect(page(await read({ startLine: 10 })).content).toBe('after\n');
  });

  it('answers about a huge file at once and in constant memory', async () => {
    const { read, put, file } = await setUp({ scanBytes: 64 * 1024 * 1024 });
    await put('x'.repeat(99).concat('\n').repeat(1000));
    await truncate(file, 5 * 1024 ** 3);
    await read({});
    const before = process.memoryUsage().rss;
    expect(page(await read({}))).toMatchObject({ size: 5 * 1024 ** 3, nextStartLine: 328 });
    const answer = await read({ startLine: 5000 });
    expect(answer.text).toContain('line 5000 lies more than 67108864 bytes into a file of 5368709120 bytes');
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024);
  });

  it('lets others work while it goes through a large file', async () => {
    const { read, put, file } = await setUp();
    await put('a\n');
    await truncate(file, 64 * 1024 * 1024);
    await writeFile(file, 'a\n'.repeat(8192), { flag: 'r+' });
    let turns = 0;
    const turn = () => setImmediate(() => void (turns++, working && turn()));
    let working = true;
    turn();
    await read({ startLine: 20_000 });
    working = false;
    expect(turns).toBeGreaterThan(500);
  });

  it('stops when the call is cancelled', async () => {
    const { read, put, file } = await setUp();
    await put('a\n'.repeat(8192));
    await truncate(file, 200 * 1024 * 1024);
    const stop = new AbortController();
    const reading = read({ startLine: 20_000 }, stop.signal);
    setImmediate(() => stop.abort(new Error('cancelled by the operator')));
    await expect(reading).rejects.toThrow('cancelled by the operator');
  });

  it('reads what the file is now, when it shrinks or grows between pages', async () => {
    const { read, put, file } = await setUp();
    await put('one\ntwo\n');
    const handle = await open(file, 'a');
    await handle.write('three\n');
    await handle.close();
    expect(page(await read({ startLine: 3 }))).toMatchObject({ content: 'three\n', totalLines: 3 });
    await put('one\n');
    expect((await read({ startLine: 3 })).text).toContain('1 line, 4 bytes');
    expect(toolContext().signal.aborted).toBe(false);
  });
});
