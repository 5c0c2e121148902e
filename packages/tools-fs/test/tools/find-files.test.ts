import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { searchTree } from '../support/search-tree.js';

describe('find_files', () => {
  const files = {
    'a.js': '',
    'b.ts': '',
    'src/c.js': '',
    'src/deep/d.test.js': '',
    'src/deep/e.js': '',
    'node_modules/zod/index.js': '',
    '.hidden/f.js': '',
    'web/index.html': '',
  };

  it('names paths from the root on, sorted, what is in a folder right after it', async () => {
    const { call } = await searchTree(files);
    expect(await call('find_files', { globs: ['*.js'] })).toEqual({
      text: '[. in components: 5 paths]\n.hidden/f.js\na.js\nsrc/c.js\nsrc/deep/d.test.js\nsrc/deep/e.js',
      data: {
        root: 'components',
        paths: ['.hidden/f.js', 'a.js', 'src/c.js', 'src/deep/d.test.js', 'src/deep/e.js'],
        unreadable: [],
        stopped: undefined,
      },
    });
  });

  it.each([
    [{ globs: ['*.{ts,html}'] }, ['b.ts', 'web/index.html']],
    [{ globs: ['/*.js'] }, ['a.js']],
    [{ globs: ['src/*.js'] }, ['src/c.js']],
    [{ globs: ['src/**'] }, ['src/c.js', 'src/deep/d.test.js', 'src/deep/e.js']],
    [{ globs: ['src/'] }, ['src/c.js', 'src/deep/d.test.js', 'src/deep/e.js']],
    [{ globs: ['**/deep/?.js'] }, ['src/deep/e.js']],
    [{ globs: ['*.js', '!*.test.js', '!.hidden'] }, ['a.js', 'src/c.js', 'src/deep/e.js']],
    [{ path: 'src', globs: ['deep/*'] }, ['src/deep/d.test.js', 'src/deep/e.js']],
    [{ globs: ['deep'], want: 'folder' }, ['src/deep/']],
    [{ globs: ['*eb*'], want: 'any' }, ['web/']],
    [{ globs: ['index.*'], includeIgnored: true }, ['node_modules/zod/index.js', 'web/index.html']],
    [{ path: 'node_modules', globs: ['*.js'] }, ['node_modules/zod/index.js']],
    [{ globs: ['nothing'] }, []],
  ])('%j finds %j', async (input, paths) => {
    const { find } = await searchTree(files);
    expect(await find(input)).toEqual(paths);
  });

  it('stops at its limit and says so, and not when it is met exactly', async () => {
    const { call } = await searchTree(files);
    const { text, truncated } = await call('find_files', { globs: ['*.js'], maxResults: 2 });
    expect(text).toContain('2 paths; not all: the limit is reached');
    expect(truncated).toBe(true);
    expect((await call('find_files', { globs: ['*.js'], maxResults: 5 })).truncated).toBeUndefined();
  });

  it('follows no link and names none, and nothing that is withheld', async () => {
    const { root, find } = await searchTree(
      { 'a/x.js': '', 'keys/k.js': '', 'server.pem': '', '.env': '' },
      { deny: ['deny*'] },
    );
    await symlink('a', join(root, 'link'));
    await symlink('..', join(root, 'a', 'up'));
    await mkdir(join(root, 'denyme'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await find({ globs: ['*'], want: 'any', includeIgnored: true })).toEqual(['a/', 'a/x.js']);
  });

  it.each([['a/../../x'], ['{..,a}/x'], ['a\\b'], ['x'.repeat(257)], ['']])(
    'refuses the glob %s',
    async (glob) => {
      const { call } = await searchTree({});
      await expect(call('find_files', { globs: [glob] })).rejects.toThrow(z.ZodError);
    },
  );

  it('ends globs that take for ever at its deadline, and works on', async () => {
    const { call } = await searchTree({ [`${'a'.repeat(200)}b`]: '' }, { limits: { searchMs: 50 } });
    const globs = [`${'*a'.repeat(10)}*c`];
    await expect(call('find_files', { globs })).rejects.toMatchObject({ code: 'search_timeout' });
    await expect(call('grep_files', { pattern: 'x', globs })).rejects.toMatchObject({
      code: 'search_timeout',
    });
    const { find } = await searchTree({ ok: '' });
    expect(await find({ globs: ['ok'] })).toEqual(['ok']);
  });

  it('stops when the call is cancelled', async () => {
    const { call } = await searchTree(files);
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(call('find_files', { globs: ['*'] }, signal)).rejects.toThrow('cancelled');
    await expect(call('grep_files', { pattern: 'x' }, signal)).rejects.toThrow('cancelled');
  });
});

const folders = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 3 });
const names = fc.constantFrom('a', 'b', 'c.js', 'a.js', '.x');
// None that brings a folder back: what is in it is then shown, whatever outer rules say, unlike in git.
const rules = fc.constantFrom(
  'a',
  'b/',
  '*.js',
  '!a.js',
  '/a',
  'a/b',
  '**/b',
  '# note',
  '',
  'a*',
  '!c.js',
  '.x',
  'b/**',
  'a/*',
  '?',
  '[ab]',
);
const trees = fc.record({
  files: fc.array(fc.tuple(folders, names), { maxLength: 12 }),
  ignores: fc.array(fc.tuple(folders, fc.array(rules, { maxLength: 4 })), { maxLength: 3 }),
});

describe('ignore files', () => {
  it('of an inner folder speak before those of outer ones, also for all that is in a folder', async () => {
    const { find } = await searchTree({
      '.gitignore': '**/out\n*.log\n',
      'app/.gitignore': '!out\n!keep.log\n',
      'app/out/a.js': '',
      'app/keep.log': '',
      'out/c.js': '',
      'x.log': '',
    });
    expect(await find({ globs: ['*.js', '*.log'] })).toEqual(['app/keep.log', 'app/out/a.js']);
  });

  it('mean what they mean to git', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        const { root, find, put } = await searchTree({});
        for (const [above, name] of tree.files)
          await put([...above, name].join('/'), 'x').catch(() => undefined);
        for (const [folder, lines] of tree.ignores) {
          await put([...folder, '.gitignore'].join('/'), lines.join('\n')).catch(() => undefined);
        }
        const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
        git('init', '--quiet');
        const expected = git('-c', 'core.excludesFile=', 'ls-files', '--others', '--exclude-standard', '-z')
          .split('\0')
          .filter(Boolean);
        expect((await find({ globs: ['*'] })).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: Number(process.env['FS_FUZZ_RUNS'] ?? 20) },
    );
  }, 600_000);
});
