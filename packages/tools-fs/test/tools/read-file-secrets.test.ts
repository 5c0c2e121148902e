import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openWorkshop } from '../support/workshop.js';

const secret = 'tr0ub4dor-and-é3';

describe('read_file and secrets', () => {
  it('masks configured values, also as JSON writes them, and says so', async () => {
    const { call, path } = await openWorkshop({ secrets: () => [secret, 'say "hello" twice'] });
    await writeFile(path('a'), `pass = ${secret}\n{"x":"say \\"hello\\" twice"}\n`);
    const { text, data } = await call('read_file', { path: 'a' });
    expect(text).toContain('; [[redacted]] stands for a secret (2)');
    expect(data).toMatchObject({ content: 'pass = [[redacted]]\n{"x":"[[redacted]]"}\n' });
  });

  it('shows no part of a value, whatever offset a page begins at and wherever it ends', async () => {
    const { call, path } = await openWorkshop({ secrets: () => [secret], limits: { pageBytes: 64 } });
    const content = Buffer.from(`${'x'.repeat(60)}${secret}${'y'.repeat(60)}${secret}`);
    await writeFile(path('a'), content);
    for (let offset = 0; offset < content.length; offset++) {
      const shown: unknown = Object((await call('read_file', { path: 'a', offset })).data).content;
      expect(String(shown).replaceAll('[[redacted]]', ''), `from ${offset}`).toMatch(/^x*y*$/);
    }
  });

  it('asks for the values at each use', async () => {
    let values: readonly string[] = [];
    const { call, path } = await openWorkshop({ secrets: () => values });
    await writeFile(path('a'), secret);
    expect((await call('read_file', { path: 'a' })).text).toContain(secret);
    values = [secret];
    expect((await call('read_file', { path: 'a' })).text).not.toContain(secret);
  });

  it('is the same rule that write_file and the names of files obey', async () => {
    const { call, path, log } = await openWorkshop({ secrets: () => [secret] });
    for (const content of [`a ${secret}`, `${'x'.repeat(300_000)}${secret}`, 'a [[redacted]] b']) {
      await expect(call('write_file', { path: 'a', content })).rejects.toMatchObject({ code: 'tool_denied' });
    }
    await writeFile(path('app.env'), `TOKEN=${secret}`);
    for (const name of ['read_file', 'tail_file', 'delete_file']) {
      await expect(call(name, { path: 'app.env' })).rejects.toThrow(/may hold keys or secrets/);
    }
    expect((await log.list('s1')).changes).toEqual([]);
  });
});

describe('the hash of read_file', () => {
  it('is of the whole file, whichever page is read, and of what is not text too', async () => {
    const { call, path } = await openWorkshop({ limits: { pageBytes: 64 } });
    await writeFile(path('a'), 'line\n'.repeat(100));
    const first = await call('read_file', { path: 'a' });
    const later = await call('read_file', { path: 'a', startLine: 50 });
    const { hash } = Object(first.data);
    expect(first.text).toContain(`; hash ${hash}]\n`);
    expect(later.data).toMatchObject({ hash });
    await writeFile(path('b'), Buffer.from([1, 0, 2]));
    const binary = Object((await call('read_file', { path: 'b' })).data);
    await call('delete_file', { path: 'b', expected: binary.hash });
  });

  it('is keyed: nobody who sees it can try out what a masked value may be', async () => {
    const content = 'TOKEN=guess-me-1\n';
    const seen = async (hashKey?: string) => {
      const { call, path } = await openWorkshop(hashKey === undefined ? {} : { hashKey });
      await writeFile(path('a'), content);
      return Object((await call('read_file', { path: 'a' })).data).hash;
    };
    expect(await seen('k')).toBe(await seen('k'));
    expect(await seen('k')).not.toBe(await seen('other'));
    expect(await seen()).not.toBe(await seen());
    const plain = createHash('sha256').update(content).digest('hex');
    expect(plain.startsWith(await seen())).toBe(false);
  });

  it('is left out for files over the limit of writes', async () => {
    const { call, path } = await openWorkshop({ limits: { writeBytes: 10 } });
    await writeFile(path('a'), 'x'.repeat(11));
    const { text, data } = await call('read_file', { path: 'a' });
    expect(text).not.toContain('hash');
    expect(Object.keys(Object(data))).not.toContain('hash');
  });
});
