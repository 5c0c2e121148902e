import { execFileSync } from 'node:child_process';
import { appendFile, open, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { searchTree } from '../support/search-tree.js';
import { openWorkshop } from '../support/workshop.js';

const dataSchema = z.object({
  content: z.string(),
  offset: z.number(),
  nextOffset: z.number(),
  fileId: z.string(),
  lines: z.number(),
  unfinished: z.number(),
  restarted: z.boolean().optional(),
});

async function setUp(content: string | Buffer, pageBytes = 32 * 1024) {
  const { root, call } = await searchTree({ 'hdb.log': content }, { limits: { pageBytes } });
  const tail = (input: object = {}) => call('tail_file', { path: 'hdb.log', ...input });
  const read = async (input: object = {}) => dataSchema.parse((await tail(input)).data);
  return { file: join(root, 'hdb.log'), root, call, tail, read };
}

describe('tail_file', () => {
  it('shows the last lines and how to follow the file', async () => {
    const { tail, read } = await setUp('one\ntwo\nthree\n');
    const { fileId } = await read();
    expect(await tail({ lines: 2 })).toEqual({
      text: `[hdb.log in components: 2 lines; bytes 4-14 of 14; go on with offset 14, fileId '${fileId}']\ntwo\nthree\n`,
      data: {
        root: 'components',
        path: 'hdb.log',
        size: 14,
        fileId,
        offset: 4,
        nextOffset: 14,
        lines: 2,
        unfinished: 0,
        content: 'two\nthree\n',
      },
    });
    expect((await read({ lines: 9 })).content).toBe('one\ntwo\nthree\n');
  });

  it('shows what was added since, whole lines only, and nothing twice', async () => {
    const { file, read, tail } = await setUp('one\n');
    let { nextOffset: offset, fileId } = await read();
    expect((await read({ offset, fileId })).content).toBe('');
    await appendFile(file, 'two\nthr');
    const next = await read({ offset, fileId });
    expect(next).toMatchObject({ content: 'two\n', unfinished: 3 });
    offset = next.nextOffset;
    expect((await tail({ offset, fileId })).text).toContain(
      'an unfinished line of 3 bytes is left for later',
    );
    await appendFile(file, 'ee\n');
    expect((await read({ offset, fileId })).content).toBe('three\n');
  });

  it('shows an unfinished last line, and again when it is finished', async () => {
    const { file, tail, read } = await setUp('one\ntw');
    expect((await tail({ lines: 1 })).text).toMatch(
      /1 line; bytes 4-6 of 6; the last line is unfinished; .*\ntw$/,
    );
    const { nextOffset: offset } = await read({ lines: 1 });
    await appendFile(file, 'o\n');
    expect((await read({ offset })).content).toBe('two\n');
  });

  it('says that the file was rotated, and starts again', async () => {
    const { file, read, tail } = await setUp('one\ntwo\n');
    const { nextOffset: offset, fileId } = await read();
    await rename(file, `${file}.1`);
    await writeFile(file, 'new 1\nnew 2\nnew 3\n');
    expect((await tail({ offset, fileId })).text).toContain('another file since then (rotated)');
    expect(await read({ offset, fileId })).toMatchObject({
      restarted: true,
      content: 'new 1\nnew 2\nnew 3\n',
    });
  });

  it('says that the file was truncated, and starts again', async () => {
    const { file, read, tail } = await setUp('one\ntwo\n');
    const { nextOffset: offset, fileId } = await read();
    await truncate(file);
    await appendFile(file, 'new\n');
    expect((await tail({ offset, fileId })).text).toContain('shorter than offset 8 (truncated)');
    expect(await read({ offset, fileId })).toMatchObject({ restarted: true, content: 'new\n' });
  });

  it('shows as many whole lines as fit, and says so', async () => {
    const { tail, read } = await setUp(`${'x'.repeat(49)}\n`.repeat(20), 120);
    const { text, truncated } = await tail({ lines: 10 });
    expect(text).toContain('2 lines; bytes 900-1000 of 1000; not all: the limit is reached');
    expect(truncated).toBe(true);
    expect(await read({ offset: 0 })).toMatchObject({ lines: 2, nextOffset: 100 });
  });

  it('shows a long line in parts that make the whole', async () => {
    const line = 'aä€𝒳'.repeat(40);
    const { read } = await setUp(`${line}\n`, 64);
    let all = '';
    for (let offset = 0; ;) {
      const { content, nextOffset } = await read({ offset });
      if (content === '') break;
      all += content;
      offset = nextOffset;
    }
    expect(all).toBe(`${line}\n`);
    const last = await read();
    expect(line + '\n').toContain(last.content);
    expect(last.content.length).toBeGreaterThan(10);
  });

  it('keeps characters whole wherever they lie', async () => {
    for (let offset = 1020; offset <= 1027; offset++) {
      const { read } = await setUp(`${'a'.repeat(offset)}あ\nb\n`, 1024);
      for (const lines of [1, 2, 3]) expect((await read({ lines })).content).not.toContain('\uFFFD');
    }
  });

  it('goes on at the next character where the offset lies within one', async () => {
    const { read } = await setUp('あい\n');
    expect(await read({ offset: 1 })).toMatchObject({ offset: 3, content: 'い\n', nextOffset: 7 });
    expect(await read({ offset: 5 })).toMatchObject({ offset: 6, content: '\n', nextOffset: 7 });
    expect(await read({ offset: 7 })).toMatchObject({ offset: 7, content: '' });
  });

  it('takes a sparse file of 5 GB at its end', async () => {
    const { file, read } = await setUp('');
    await truncate(file, 5 * 1024 ** 3);
    const end = await open(file, 'a');
    await end.write(`\n${Array.from({ length: 10 }, (_, index) => `line ${index}\n`).join('')}`);
    await end.close();
    expect((await read({ lines: 10 })).content).toMatch(/^line 0\n(?:line \d\n){9}$/);
  });

  it('shows no private key, not even its rest, no binary and nothing garbled', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'TUlJRXZR\n'.repeat(50)}`;
    const { file, tail } = await setUp(key);
    await expect(tail({ lines: 2 })).rejects.toMatchObject({ code: 'tool_denied' });
    await appendFile(file, '-----END RSA PRIVATE KEY-----\nfine\n');
    expect((await tail({ lines: 1 })).text).toMatch(/fine\n$/);
    await writeFile(file, 'a\0b\n');
    expect((await tail()).text).toContain('a binary file, 4 bytes; not shown');
    await writeFile(file, Buffer.from('caf\xe9\n', 'latin1'));
    await expect(tail()).rejects.toMatchObject({ code: 'not_utf8' });
  });

  it('shows no part of a secret value, wherever it is followed from and wherever the answer ends', async () => {
    const secret = 'tr0ub4dor-and-é3';
    const { call, path } = await openWorkshop({ secrets: () => [secret], limits: { pageBytes: 64 } });
    const content = Buffer.from(`${'x'.repeat(60)}${secret}${'y'.repeat(60)}\n${secret}\n`);
    await writeFile(path('a'), content);
    for (let offset = 0; offset < content.length; offset++) {
      const followed = dataSchema.parse((await call('tail_file', { path: 'a', offset })).data);
      expect(followed.content.replaceAll('[[redacted]]', ''), `from ${offset}`).toMatch(/^x*y*\n*$/);
    }
    for (const lines of [1, 2]) {
      expect((await call('tail_file', { path: 'a', lines })).text).not.toMatch(/tr0ub|é3/);
    }
  });

  it('refuses what is no file', async () => {
    const { root, call } = await setUp('');
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(call('tail_file', { path: 'pipe' })).rejects.toThrow(/is a pipe/);
    await expect(call('tail_file', { path: '.' })).rejects.toThrow(/names a folder/);
    await expect(call('tail_file', { path: 'nowhere.log' })).rejects.toThrow(/does not exist/);
  });

  it('gives what the whole text has, for any text, limit and way of following', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'ä', '€', '\n', '\n', '\r\n', 'word '), { maxLength: 80 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, fc.integer({ min: 1, max: 12 }), async (first, second, lines) => {
        const { file, read } = await setUp(first, 64);
        const whole = first.split(/(?<=\n)/);
        const last = await read({ lines });
        expect(first.endsWith(last.content)).toBe(true);
        const all64 = Buffer.byteLength(whole.slice(-lines).join('')) <= 64;
        expect(last.content === whole.slice(-lines).join('')).toBe(all64);
        await appendFile(file, second);
        let followed = '';
        for (let offset = 0; ;) {
          const { content, nextOffset } = await read({ offset });
          if (content === '') break;
          followed += content;
          offset = nextOffset;
        }
        const all = first + second;
        expect(all.startsWith(followed)).toBe(true);
        expect(all.slice(followed.length)).not.toContain('\n');
      }),
      { numRuns: Number(process.env['FS_FUZZ_RUNS'] ?? 50) },
    );
  }, 600_000);
});
