import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fsTools, openFileChangeLog } from '../../src/index.js';
import type { Hold } from '../../src/root/folder.js';
import { descriptorsReachFiles } from '../../src/root/descriptor-folder.js';
import { callTool, toolsOf } from '../support/call-tool.js';
import { makeTree, snapshot, toolsWith } from '../support/tree.js';
import { openWorkshop } from '../support/workshop.js';

describe('move_file', () => {
  it('gives a file another name, in folders made for it', async () => {
    const { call, path, bytes, root } = await openWorkshop();
    await writeFile(path('a'), 'content');
    expect(await call('move_file', { path: 'a', to: 'x/y/b' })).toEqual({
      text: 'Moved the file a to x/y/b in components.',
      data: { root: 'components', path: 'a', to: 'x/y/b', kind: 'file' },
    });
    expect(await bytes('x/y/b')).toBe('content');
    expect(await readdir(root)).toEqual(['x']);
  });

  it('moves a folder with all that is in it', async () => {
    const { call, path, bytes } = await openWorkshop();
    await mkdir(path('app'));
    await writeFile(path('app/a'), 'content');
    await call('move_file', { path: 'app', to: 'app2' });
    expect(await bytes('app2/a')).toBe('content');
  });

  it.each([
    ['a', 'b', /'b' in root 'components' exists already/],
    ['a', 'link', /exists already/],
    ['a', 'a', /is the same as/],
    ['folder', 'folder/in/it', /lies in it/],
    ['missing', 'x', /'missing' in root 'components' does not exist/],
    ['link', 'x', /symbolic link/],
    ['pipe', 'x', /is a pipe/],
    ['.', 'x', /is a root/],
    ['a', 'server.pem', /may hold keys/],
    ['a', '../x', /leaves the root/],
  ])('refuses %s to %s', async (from, to, why) => {
    const { call, path, root } = await openWorkshop();
    await writeFile(path('a'), 'a');
    await writeFile(path('b'), 'b');
    await mkdir(path('folder'));
    await symlink('b', path('link'));
    execFileSync('mkfifo', [path('pipe')]);
    const before = await readdir(root, { recursive: true });
    await expect(call('move_file', { path: from, to })).rejects.toThrow(why);
    expect(await readdir(root, { recursive: true })).toEqual(before);
    expect(await readFile(path('b'), 'utf8')).toBe('b');
  });
});

describe('delete_file', () => {
  it('removes a file, and a folder only when nothing is in it', async () => {
    const { call, path, root } = await openWorkshop();
    await mkdir(path('x'));
    await writeFile(path('x/a'), 'content');
    await expect(call('delete_file', { path: 'x' })).rejects.toMatchObject({ code: 'not_empty' });
    expect((await call('delete_file', { path: 'x/a' })).text).toBe(
      'Deleted the file x/a in components (7 bytes).',
    );
    expect((await call('delete_file', { path: 'x/' })).text).toBe('Deleted the folder x in components.');
    expect(await readdir(root)).toEqual([]);
  });

  it.each([
    ['.', /is a root/],
    ['missing', /does not exist/],
    ['link', /symbolic link/],
    ['pipe', /is a pipe/],
    ['fixed', /no write permission/],
    ['.env', /may hold keys/],
  ])('refuses %s', async (name, why) => {
    const { call, path, root } = await openWorkshop();
    await writeFile(path('.env'), 'A=1');
    await writeFile(path('fixed'), 'x');
    await chmod(path('fixed'), 0o444);
    await symlink('fixed', path('link'));
    execFileSync('mkfifo', [path('pipe')]);
    const before = await readdir(root);
    await expect(call('delete_file', { path: name })).rejects.toThrow(why);
    expect(await readdir(root)).toEqual(before);
  });
});

describe('make_dir', () => {
  it('makes what is missing and says so', async () => {
    const { call, path } = await openWorkshop();
    expect(await call('make_dir', { path: 'a/b' })).toEqual({
      text: 'Made the folder a/b in components.',
      data: { root: 'components', path: 'a/b', made: ['a', 'a/b'] },
    });
    expect((await call('make_dir', { path: 'a/b/' })).text).toBe(
      'The folder a/b in components exists already.',
    );
    await writeFile(path('f'), '');
    await expect(call('make_dir', { path: 'f' })).rejects.toThrow(/a file where a folder is needed/);
    await expect(call('make_dir', { path: 'keys' })).rejects.toThrow(/may hold keys/);
  });
});

describe('expected', () => {
  it('is what every changing tool compares with before it does anything', async () => {
    const { call, path, bytes, log, root } = await openWorkshop();
    await writeFile(path('a'), 'one');
    const { hash: expected } = Object((await call('read_file', { path: 'a' })).data);
    await writeFile(path('a'), 'two');
    for (const [name, input] of [
      ['write_file', { content: 'x' }],
      ['edit_file', { edits: [{ oldText: 'two', newText: 'x' }] }],
      ['move_file', { to: 'b' }],
      ['delete_file', {}],
    ] as const) {
      await expect(
        call(name, { path: 'a', ...input, expected }),
        `${name} of the file`,
      ).rejects.toMatchObject({
        code: 'conflict',
      });
      await expect(
        call(name, { path: 'gone/b', ...input, expected }),
        `${name} of the file`,
      ).rejects.toMatchObject({
        statusCode: 404,
      });
      await expect(
        call(name, { path: 'a', ...input, expected: 'nonsense' }),
        `${name} with nonsense`,
      ).rejects.toThrow(/expected/);
    }
    expect(await bytes('a')).toBe('two');
    expect(await readdir(root)).toEqual(['a']);
    expect((await log.list('s1')).changes).toEqual([]);
  });

  it("'absent' makes a file and replaces none", async () => {
    const { call, bytes } = await openWorkshop();
    await call('write_file', { path: 'x/a', content: 'one', expected: 'absent' });
    await expect(call('write_file', { path: 'x/a', content: 'two', expected: 'absent' })).rejects.toThrow(
      /exists already/,
    );
    expect(await bytes('x/a')).toBe('one');
  });

  it('lets one of several calls with the same expectation through', async () => {
    const { call, path, bytes } = await openWorkshop();
    await writeFile(path('a'), 'one');
    const { hash: expected } = Object((await call('read_file', { path: 'a' })).data);
    const contents = ['1', '2', '3', '4', '5'];
    const settled = await Promise.allSettled(
      contents.map((content) => call('write_file', { path: 'a', content, expected })),
    );
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(contents).toContain(await bytes('a'));
  });
});

describe('edit_file at once', () => {
  it('loses no edit of several calls on one file', async () => {
    const { call, path, bytes } = await openWorkshop();
    await writeFile(path('a'), 'a1 b1 c1 d1\n');
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) =>
        call('edit_file', { path: 'a', edits: [{ oldText: `${letter}1`, newText: `${letter}2` }] }),
      ),
    );
    expect(await bytes('a')).toBe('a2 b2 c2 d2\n');
  });
});

describe('the change log', () => {
  it('may not lie in a root, nor a root in it', async () => {
    const { root, base } = await openWorkshop();
    for (const [path, folder] of [
      [root, root],
      [root, join(root, 'x/log')],
      [join(base, 'log', 'root'), join(base, 'log')],
    ] as const) {
      const roots = { components: { path, mode: 'rw' } } as const;
      expect(() => fsTools({ roots, changeLog: openFileChangeLog({ folder }) })).toThrow(
        /lie in one another/,
      );
    }
  });

  it('may not lie in what a root leads to', async () => {
    const { root, base } = await openWorkshop();
    await symlink(root, join(base, 'linked'));
    const roots = { components: { path: join(base, 'linked'), mode: 'rw' } } as const;
    const provider = fsTools({ roots, changeLog: openFileChangeLog({ folder: join(root, 'agent/log') }) });
    await expect(toolsOf(provider)).rejects.toThrow(/lie in one another/);
    await provider.close();
  });
});

const holds: Hold[] = (await descriptorsReachFiles()) ? ['descriptor', 'check'] : ['check'];

describe.each(holds)('the tools that change files, holding folders by %s', (hold) => {
  it('leave everything outside the root as it is, whatever the path', async () => {
    const { base, root } = await makeTree();
    const tools = toolsWith({ roots: { components: { path: root, mode: 'rw' } } }, hold);
    const before = await snapshot(base);
    const paths = [
      'leaf-link',
      'parent-link/sub/b.txt',
      'hello/up-link/a.txt',
      'dangling',
      '../outside/secret.txt',
      'server.pem',
    ];
    for (const path of [
      ...paths,
      join(base, 'outside/secret.txt'),
      '../root-evil/a.txt',
      'keys/server.txt',
    ]) {
      for (const [name, input] of [
        ['edit_file', { edits: [{ oldText: 'O', newText: 'x' }] }],
        ['move_file', { to: 'stolen.txt' }],
        ['delete_file', {}],
        ['make_dir', {}],
      ] as const) {
        await expect(callTool(tools, name, { path, ...input }), `${name} ${path}`).rejects.toThrow(/./);
      }
      await expect(callTool(tools, 'move_file', { path: 'a.txt', to: path }), `to ${path}`).rejects.toThrow(
        /./,
      );
    }
    expect(await snapshot(base)).toEqual(before);
  });
});
