import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { searchTree } from '../support/search-tree.js';

describe('grep_files', () => {
  const files = {
    'hello/resources.js':
      'import { tables } from "harperdb";\nexport class Hello {\n  get() { return tables.Dog; }\n}\n',
    'hello/config.yaml': 'rest: true\nport: 9926\n',
    'readme.md': 'Hello\nagain hello',
  };

  it('shows matching lines with their numbers, file after file, by paths that read_file takes', async () => {
    const { call } = await searchTree(files);
    expect(await call('grep_files', { pattern: 'Hello|port:' })).toEqual({
      text:
        '[. in components: 3 matching lines in 3 files; 3 files searched]\n' +
        'hello/config.yaml\n2: port: 9926\n' +
        'hello/resources.js\n2: export class Hello {\n' +
        'readme.md\n1: Hello',
      data: {
        root: 'components',
        files: [
          {
            path: 'hello/config.yaml',
            matches: 1,
            lines: [{ number: 2, text: 'port: 9926', match: true, cut: false }],
          },
          {
            path: 'hello/resources.js',
            matches: 1,
            lines: [{ number: 2, text: 'export class Hello {', match: true, cut: false }],
          },
          { path: 'readme.md', matches: 1, lines: [{ number: 1, text: 'Hello', match: true, cut: false }] },
        ],
        searched: 3,
        binary: [],
        keys: [],
        unreadable: [],
        stopped: undefined,
      },
    });
  });

  it('takes a pattern as plain text, and ignores case, when told to', async () => {
    const { grep } = await searchTree({ 'a.txt': 'a.b\naxb\nA.B\nÄ\nä' });
    expect(await grep({ pattern: 'a.b' })).toEqual(['a.txt:1:a.b', 'a.txt:2:axb']);
    expect(await grep({ pattern: 'a.b', literal: true })).toEqual(['a.txt:1:a.b']);
    expect(await grep({ pattern: 'a.b', literal: true, ignoreCase: true })).toEqual([
      'a.txt:1:a.b',
      'a.txt:3:A.B',
    ]);
    expect(await grep({ pattern: 'ä', ignoreCase: true })).toEqual(['a.txt:4:Ä', 'a.txt:5:ä']);
  });

  it('ignores case beyond ASCII as RE2 does', async () => {
    const { grep } = await searchTree({ 'a.txt': '5 \u212A\nk\nstra\u017Fe\n' });
    expect(await grep({ pattern: 'k', literal: true, ignoreCase: true })).toEqual([
      'a.txt:1:5 \u212A',
      'a.txt:2:k',
    ]);
    expect(await grep({ pattern: 'STRASE', ignoreCase: true })).toEqual(['a.txt:3:stra\u017Fe']);
  });

  it('matches ^ and $ at the ends of lines, CRLF included', async () => {
    const { grep } = await searchTree({ 'a.txt': 'one\r\ntwo one\r\n\r\none' });
    expect(await grep({ pattern: '^one$' })).toEqual(['a.txt:1:one', 'a.txt:4:one']);
    expect(await grep({ pattern: '^$' })).toEqual(['a.txt:3:']);
  });

  it('shows lines around matches once, with a gap marked', async () => {
    const { grep, call } = await searchTree({ 'a.txt': 'a\nb\nhit 1\nc\nhit 2\nd\ne\nf\ng\nhit 3' });
    expect(await grep({ pattern: 'hit', context: 1 })).toEqual([
      'a.txt-2-b',
      'a.txt:3:hit 1',
      'a.txt-4-c',
      'a.txt:5:hit 2',
      'a.txt-6-d',
      'a.txt-9-g',
      'a.txt:10:hit 3',
    ]);
    expect((await call('grep_files', { pattern: 'hit', context: 1 })).text).toContain('6- d\n--\n9- g');
  });

  it('searches one file, a single-file root too, whatever ignore files say', async () => {
    const { grep } = await searchTree({ ...files, '.gitignore': '*.md\n' });
    expect(await grep({ pattern: 'hello', path: 'readme.md' })).toEqual(['readme.md:2:again hello']);
    expect(await grep({ pattern: 'hello' })).toEqual([]);
  });

  it('narrows by globs', async () => {
    const { grep } = await searchTree(files);
    expect(await grep({ pattern: 'ello', globs: ['*.{js,md}', '!hello/**'] })).toEqual([
      'readme.md:1:Hello',
      'readme.md:2:again hello',
    ]);
    expect(await grep({ path: 'hello', pattern: 'port', globs: ['config.yaml'] })).toEqual([
      'hello/config.yaml:2:port: 9926',
    ]);
  });

  it('names files, or counts, instead of lines', async () => {
    const { call } = await searchTree({ 'a.txt': 'x\nx\n', 'b.txt': 'y', 'c.txt': 'x' });
    expect((await call('grep_files', { pattern: 'x', show: 'files' })).text).toBe(
      '[. in components: 2 files; 3 files searched]\na.txt\nc.txt',
    );
    expect((await call('grep_files', { pattern: 'x', show: 'counts' })).text).toBe(
      '[. in components: 3 matching lines in 2 files; 3 files searched]\na.txt: 2\nc.txt: 1',
    );
  });

  it('stops at its limit in the order of the paths, says so, and not when the limit is met exactly', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`f${String(index).padStart(2, '0')}`, 'x\nx\n']),
    );
    const { grep, call } = await searchTree(many);
    expect(await grep({ pattern: 'x', maxResults: 5 })).toEqual([
      'f00:1:x',
      'f00:2:x',
      'f01:1:x',
      'f01:2:x',
      'f02:1:x',
    ]);
    const cut = await call('grep_files', { pattern: 'x', maxResults: 79 });
    expect(cut).toMatchObject({ truncated: true, data: { stopped: 'limit' } });
    expect(cut.text).toContain('not all: the limit is reached');
    expect((await call('grep_files', { pattern: 'x', maxResults: 80 })).truncated).toBeUndefined();
    const one = { pattern: 'x', path: 'f00' };
    expect((await call('grep_files', { ...one, maxResults: 1 })).truncated).toBe(true);
    expect((await call('grep_files', { ...one, maxResults: 2 })).truncated).toBeUndefined();
    expect((await call('grep_files', { pattern: 'x', maxResults: 39, show: 'files' })).truncated).toBe(true);
    expect(
      (await call('grep_files', { pattern: 'x', maxResults: 40, show: 'files' })).truncated,
    ).toBeUndefined();
  });

  it('stops when the answer has enough bytes', async () => {
    const { call } = await searchTree(
      { 'a.txt': `${'word '.repeat(20)}\n`.repeat(500) },
      { limits: { pageBytes: 4096 } },
    );
    const { text, truncated } = await call('grep_files', { pattern: 'word', maxResults: 1000 });
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThan(8192);
  });

  it('shows the part of a long line around the match, on borders of characters', async () => {
    const { call } = await searchTree({ 'min.js': `${'ä'.repeat(400_000)}needle${'€'.repeat(400_000)}` });
    const { text } = await call('grep_files', { pattern: 'needle' });
    expect(text).toContain('needle');
    expect(text).toContain('[part of a long line]');
    expect(text).not.toContain('\uFFFD');
    expect(text.length).toBeLessThan(800);
  });

  it('shows nothing of binary files and nothing garbled', async () => {
    const { call } = await searchTree({
      'a.bin': Buffer.from('needle\0\x01'),
      'late.bin': Buffer.concat([Buffer.alloc(20_000, 'x\n'), Buffer.from('needle \0\n')]),
      'latin1.txt': Buffer.from('needle caf\xe9\n', 'latin1'),
      'utf16.txt': Buffer.from('\uFEFFneedle', 'utf16le'),
    });
    const { text } = await call('grep_files', { pattern: 'needle' });
    expect(text).toBe(
      '[. in components: 1 matching line in 1 file; 4 files searched; 2 files binary, not shown (a.bin, late.bin)]\n' +
        'latin1.txt\n1: (not valid UTF-8: not shown)',
    );
  });

  const pem = `-----BEGIN PRIVATE KEY-----\n${'TUlJRXZRSUJBREFO\n'.repeat(20)}-----END PRIVATE KEY-----\n`;

  it('shows no line of a file with a private key, in no form', async () => {
    const { call } = await searchTree({ 'notes.md': `needle\n${pem}needle\n`, 'other.md': 'needle\n' });
    for (const show of ['lines', 'files', 'counts']) {
      for (const pattern of ['needle', 'TUlJ']) {
        const { text } = await call('grep_files', { pattern, show, context: 3 });
        expect(text).toContain('1 file with a private key, never shown (notes.md)');
        expect(text.split('\n').slice(1).join()).not.toMatch(/notes|TUlJ/);
      }
    }
  });

  it('does not read keys, environment files and what the operator denies', async () => {
    const { call } = await searchTree(
      {
        'keys/a.txt': 'needle',
        '.env': 'needle=1',
        'app/server.pem': 'needle',
        'private/x': 'needle',
        ok: 'needle',
      },
      { deny: ['private'] },
    );
    const { text } = await call('grep_files', { pattern: 'needle', includeIgnored: true });
    expect(text).toBe('[. in components: 1 matching line in 1 file; 1 file searched]\nok\n1: needle');
  });

  it('refuses what is no folder, no file or no pattern, and says why', async () => {
    const { root, call } = await searchTree({ 'a.txt': '' });
    await symlink('a.txt', join(root, 'link'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await mkdir(join(root, 'sub'));
    await expect(call('grep_files', { pattern: 'x', path: 'link' })).rejects.toThrow(/symbolic link/);
    await expect(call('grep_files', { pattern: 'x', path: 'pipe' })).rejects.toThrow(/is a pipe/);
    await expect(call('grep_files', { pattern: 'x', path: 'nowhere' })).rejects.toThrow(/does not exist/);
    await expect(call('grep_files', { pattern: '[' })).rejects.toThrow(/missing closing \]/);
    await expect(call('grep_files', { pattern: '(?=a)' })).rejects.toThrow(
      /invalid or unsupported Perl syntax/,
    );
    await expect(call('grep_files', { pattern: '\\' })).rejects.toThrow(/trailing backslash/i);
    await expect(call('grep_files', { pattern: '' })).rejects.toThrow(/too_small/);
    await expect(call('grep_files', { pattern: 'a\nb' })).rejects.toThrow(/one line at a time/);
    await expect(call('grep_files', { pattern: 'a', globs: ['../*'] })).rejects.toThrow(/holds '\.\.'/);
    expect((await call('grep_files', { pattern: 'x' })).text).toContain('1 file searched');
  });

  it('answers a pattern that would take a backtracking engine for ever', async () => {
    const { grep } = await searchTree({ 'a.txt': `${'a'.repeat(40)}!\n`, 'b.txt': 'a'.repeat(200) });
    expect(await grep({ pattern: '^(a+)+$' })).toEqual([`b.txt:1:${'a'.repeat(200)}`]);
    expect(await grep({ pattern: '(.*a){25}!$', show: 'files' })).toEqual([]);
  });

  it('quotes a name with a line break, which could pass for a match', async () => {
    const { call } = await searchTree({ 'a\n1: fake': 'x' });
    expect((await call('grep_files', { pattern: 'x' })).text).toContain('"a\\n1: fake"\n1: x');
  });
});
