import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ChangeLog, fsTools, openFileChangeLog } from '../../src/index.js';
import { callTool, toolsOf } from '../support/call-tool.js';
import { snapshot } from '../support/tree.js';
import { openWorkshop } from '../support/workshop.js';

describe('revertChanges', () => {
  it('takes everything back byte for byte, modes and folders included', async () => {
    const { call, path, root, provider } = await openWorkshop();
    await mkdir(path('app/old'), { recursive: true });
    await writeFile(path('app/a.js'), '\uFEFFone\r\ntwo\r\n');
    await writeFile(path('app/b.bin'), Buffer.from([0, 255, 254, 10, 13, 0]));
    await chmod(path('app/b.bin'), 0o750);
    await mkdir(path('empty'));
    const before = await snapshot(root);

    await call('edit_file', { path: 'app/a.js', edits: [{ oldText: 'two', newText: '2\n3' }] });
    await call('write_file', { path: 'app/new/deep/c.js', content: 'new' });
    await call('move_file', { path: 'app', to: 'moved/app' });
    await call('write_file', { path: 'moved/app/a.js', content: 'all of it' });
    await call('delete_file', { path: 'moved/app/b.bin' });
    await call('move_file', { path: 'moved/app/a.js', to: 'app/a.js' });
    await call('delete_file', { path: 'empty' });
    await call('make_dir', { path: 'empty/not/any/more' });
    expect(await snapshot(root)).not.toEqual(before);

    const { changes } = await provider.listChanges('s1');
    const { reverted, kept } = await provider.revertChanges('s1', { to: 0 });
    expect(await snapshot(root)).toEqual(before);
    expect((await readFile(path('app/b.bin'))).equals(Buffer.from([0, 255, 254, 10, 13, 0]))).toBe(true);
    expect((await stat(path('app/b.bin'))).mode & 0o777).toBe(0o750);
    expect(reverted).toEqual(changes.toReversed());
    expect(kept).toEqual([]);
  });

  it('stops at the change that is to stay, and can be reverted itself', async () => {
    const { call, bytes, provider } = await openWorkshop();
    for (const content of ['1', '2', '3']) await call('write_file', { path: 'a', content });
    await provider.revertChanges('s1', { to: 2 });
    expect(await bytes('a')).toBe('2');
    const { changes } = await provider.listChanges('s1');
    expect(changes.map(({ seq, tool }) => [seq, tool]).at(-1)).toEqual([4, 'revert_changes']);
    await provider.revertChanges('s1', { to: 3 });
    expect(await bytes('a')).toBe('3');
    await provider.revertChanges('s1', { to: 1 });
    expect(await bytes('a')).toBe('1');
    expect((await provider.revertChanges('s1', { to: 99 })).reverted).toEqual([]);
  });

  it.each([
    ['wrote to', (path: string) => writeFile(path, 'by a person')],
    ['removed', (path: string) => rm(path)],
    ['replaced by a folder', (path: string) => rm(path).then(() => mkdir(path))],
    ['replaced by a link', (path: string) => rm(path).then(() => symlink('other', path))],
  ])('changes nothing at all when a person %s a file since', async (_what, change) => {
    const { call, path, root, provider } = await openWorkshop();
    for (const content of ['1', '2']) {
      await call('write_file', { path: 'a', content });
      await call('write_file', { path: 'other', content });
    }
    await change(path('a'));
    const before = await snapshot(root);
    await expect(provider.revertChanges('s1', { to: 0 })).rejects.toThrow(/Change 3 .*'a'|symbolic link/);
    expect(await snapshot(root)).toEqual(before);
    await provider.revertChanges('s1', { to: 3 });
    expect(await readFile(path('other'), 'utf8')).toBe('1');
  });

  it('goes back to the change before which a person came in between, and no further', async () => {
    const { call, path, bytes, provider } = await openWorkshop();
    await call('write_file', { path: 'a', content: '1' });
    await writeFile(path('a'), 'by a person');
    await call('write_file', { path: 'a', content: '2' });
    await expect(provider.revertChanges('s1', { to: 0 })).rejects.toThrow(
      "Change 1 of session s1 (write_file in root 'components') cannot be reverted: 'a' was changed by someone else " +
        'since. Revert to 1, or put that path back first.',
    );
    await provider.revertChanges('s1', { to: 1 });
    expect(await bytes('a')).toBe('by a person');
  });

  it('is not misled by a file of the same name in a folder that was moved', async () => {
    const { call, path, root, provider } = await openWorkshop();
    await mkdir(path('b'));
    await writeFile(path('b/x'), 'in b');
    await mkdir(path('a'));
    await writeFile(path('a/x'), 'in a');
    const before = await snapshot(root);
    await call('delete_file', { path: 'b/x' });
    await call('delete_file', { path: 'b' });
    await call('move_file', { path: 'a', to: 'b' });
    await call('write_file', { path: 'b/x', content: 'changed' });
    await call('move_file', { path: 'b', to: 'c/b' });
    await provider.revertChanges('s1', { to: 0 });
    expect(await snapshot(root)).toEqual(before);
  });

  it('keeps a folder that somebody put something in', async () => {
    const { call, path, bytes, provider } = await openWorkshop();
    await call('make_dir', { path: 'a/b' });
    await writeFile(path('a/b/theirs'), 'theirs');
    const { kept } = await provider.revertChanges('s1', { to: 0 });
    expect(kept).toEqual([
      { root: 'components', path: 'a/b' },
      { root: 'components', path: 'a' },
    ]);
    expect(await bytes('a/b/theirs')).toBe('theirs');
  });

  it('does not move a folder back over a new one', async () => {
    const { call, path, root, provider } = await openWorkshop();
    await mkdir(path('a'));
    await call('move_file', { path: 'a', to: 'b' });
    await mkdir(path('a'));
    const before = await snapshot(root);
    await expect(provider.revertChanges('s1', { to: 0 })).rejects.toThrow(
      /Change 1 .*'b' is not what 'a' was/,
    );
    await rename(path('a'), path('c'));
    await provider.revertChanges('s1', { to: 0 });
    expect(Object.keys(await snapshot(root)).length).toBe(Object.keys(before).length);
  });

  it('goes back only as far as the log still reaches', async () => {
    const { call, provider, bytes } = await openWorkshop({ log: { maxBytes: 20_000 } });
    for (const letter of ['a', 'b', 'c', 'd', 'e']) {
      await call('write_file', { path: 'f', content: letter.repeat(5000) });
    }
    const { droppedUpTo } = await provider.listChanges('s1');
    expect(droppedUpTo).toBeGreaterThan(0);
    await expect(provider.revertChanges('s1', { to: 0 })).rejects.toThrow(/were dropped for space/);
    await provider.revertChanges('s1', { to: 4 });
    expect(await bytes('f')).toBe('d'.repeat(5000));
  });

  it('loses nothing that it still needs while the log is full', async () => {
    const { base, call, provider, bytes, log } = await openWorkshop({ log: { maxBytes: 40_000 } });
    for (const letter of ['a', 'b', 'c', 'd', 'e']) {
      await call('write_file', { path: letter, content: letter.repeat(5000) });
      await call('write_file', { path: letter, content: '' });
    }
    const { changes, droppedUpTo: to } = await provider.listChanges('s1');
    expect(to).toBeGreaterThan(0);
    const { reverted } = await provider.revertChanges('s1', { to });
    expect(reverted.map(({ seq }) => seq)).toEqual(changes.map(({ seq }) => seq).toReversed());
    expect(await bytes('b')).toBe('');
    expect(await readdir(join(base, 'root'))).toEqual(['a', 'b']);
    // Afterwards it is no larger than it may be, and goes on.
    const kept = await readdir(join(base, 'log/s1'));
    const sizes = await Promise.all(kept.map(async (name) => (await stat(join(base, 'log/s1', name))).size));
    expect(sizes.reduce((sum, size) => sum + Math.ceil(size / 4096) * 4096, 0)).toBeLessThanOrEqual(40_000);
    const back = await provider.listChanges('s1');
    await provider.revertChanges('s1', { to: back.droppedUpTo });
    expect(await log.sessions()).toEqual(['s1']);
  });

  it('moves a file of any size there and back without reading it', async () => {
    const { call, path, provider } = await openWorkshop();
    await writeFile(path('large'), 'x');
    await truncate(path('large'), 2 ** 40);
    await call('move_file', { path: 'large', to: 'dir/large' });
    await provider.revertChanges('s1', { to: 0 });
    expect((await stat(path('large'))).size).toBe(2 ** 40);
    await call('move_file', { path: 'large', to: 'moved' });
    await appendFile(path('moved'), 'mine');
    await expect(provider.revertChanges('s1', { to: 4 })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is not put out by what another session keeps meanwhile', async () => {
    const { call, provider, log, path, bytes } = await openWorkshop({ log: { maxBytes: 20_000 } });
    await writeFile(path('a'), 'mine');
    await call('write_file', { path: 'a', content: 'its' });
    const at = { root: 'components', path: 'x', callId: 'c', tool: 'make_dir' } as const;
    const states = { before: { kind: 'absent' }, after: { kind: 'folder' } } as const;
    async function fill() {
      for (let count = 0; count < 10; count++) {
        await log.record({ kind: 'set', sessionId: 's2', ...at, ...states });
      }
      return (await log.list('s1')).droppedUpTo;
    }
    const release = await log.hold('s1', 0);
    expect(await fill()).toBe(0);
    await provider.revertChanges('s1', { to: 0 });
    expect(await bytes('a')).toBe('mine');
    await release();
    expect(await fill()).toBe(2);
  });

  it('reverts the changes of one session only', async () => {
    const { call, bytes, provider } = await openWorkshop();
    await call('write_file', { path: 'a', content: '1' });
    expect((await provider.revertChanges('another', { to: 0 })).reverted).toEqual([]);
    expect(await bytes('a')).toBe('1');
  });

  it('refuses a number that makes no sense, and tools without a log', async () => {
    const { provider, root } = await openWorkshop();
    for (const to of [-1, 1.5, Number.NaN]) {
      await expect(provider.revertChanges('s1', { to })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    const plain = fsTools({ roots: { components: { path: root, mode: 'rw' } } });
    await expect(plain.revertChanges('s1', { to: 0 })).rejects.toThrow(/no change log/);
    expect(await plain.listChanges('s1')).toEqual({ changes: [], droppedUpTo: 0 });
    await plain.close();
  });
});

describe('a change that somebody gets ahead of', () => {
  it.each([
    ['write_file', { content: 'x' }],
    ['edit_file', { edits: [{ oldText: 'one', newText: 'x' }] }],
    ['delete_file', {}],
    ['move_file', { to: 'b' }],
  ])('is not made by %s, and does not stand in the way of a revert', async (name, input) => {
    const { base, root, path, bytes } = await openWorkshop();
    await writeFile(path('a'), 'one');
    const log = openFileChangeLog({ folder: join(base, 'other-log') });
    let person = async (): Promise<void> => undefined;
    const changeLog: ChangeLog = {
      ...log,
      record: async (...args) => {
        const seq = await log.record(...args);
        await person();
        return seq;
      },
    };
    const provider = fsTools({ roots: { components: { path: root, mode: 'rw' } }, changeLog });
    onTestFinished(() => provider.close());
    const tools = await toolsOf(provider);
    await callTool(tools, 'write_file', { path: 'mine', content: '1' });
    person = () => appendFile(path('a'), ' and a half');
    await expect(callTool(tools, name, { path: 'a', ...input })).rejects.toMatchObject({ statusCode: 409 });
    expect((await provider.listChanges('s1')).changes.map((change) => change.path)).toEqual(['mine']);
    person = async () => undefined;
    await provider.revertChanges('s1', { to: 0 });
    expect(await readdir(root)).toEqual(['a']);
    expect(await bytes('a')).toMatch(/^one( and a half)+$/);
  });
});

describe('a root that is one file', () => {
  it('is changed and taken back under both of its names', async () => {
    const { base, path, bytes, log } = await openWorkshop();
    await writeFile(path('host.yaml'), 'port: 1\n');
    const provider = fsTools({
      roots: { config: { path: path('host.yaml'), mode: 'rw' } },
      changeLog: openFileChangeLog({ folder: join(base, 'other-log') }),
    });
    onTestFinished(() => provider.close());
    const tools = await toolsOf(provider);
    await callTool(tools, 'write_file', { path: '.', content: 'port: 2\n' });
    await callTool(tools, 'edit_file', { path: 'host.yaml', edits: [{ oldText: '2', newText: '3' }] });
    await callTool(tools, 'write_file', { path: '.', content: 'port: 4\n' });
    for (const [name, input] of [
      ['delete_file', { path: '.' }],
      ['move_file', { path: 'host.yaml', to: 'other.yaml' }],
    ] as const) {
      await expect(callTool(tools, name, input)).rejects.toThrow(/is a root|single file/);
    }
    await expect(callTool(tools, 'make_dir', { path: 'host.yaml' })).rejects.toThrow(/is a file/);
    await provider.revertChanges('s1', { to: 0 });
    expect(await bytes('host.yaml')).toBe('port: 1\n');
    expect((await log.list('s1')).changes).toEqual([]);
  });
});

describe('a change that cannot be kept', () => {
  it('is not made', async () => {
    const { call, path, bytes, base } = await openWorkshop({ limits: { undoBytes: 100 } });
    await writeFile(path('large'), 'x'.repeat(101));
    for (const [name, input] of [
      ['write_file', { content: '' }],
      ['delete_file', {}],
    ] as const) {
      await expect(call(name, { path: 'large', ...input })).rejects.toThrow(
        /has 101 bytes.*over 100 bytes no copy is kept/,
      );
    }
    await writeFile(`${base}/log`, 'a file where the log should be');
    await writeFile(path('a'), 'one');
    for (const [name, input] of [
      ['write_file', { content: 'x' }],
      ['edit_file', { edits: [{ oldText: 'one', newText: 'x' }] }],
      ['delete_file', {}],
      ['move_file', { to: 'b' }],
    ] as const) {
      await expect(call(name, { path: 'a', ...input }), `${name} without a log`).rejects.toThrow(/./);
    }
    await expect(call('make_dir', { path: 'd' })).rejects.toThrow(/./);
    expect(Object.values(await snapshot(path('')))).toEqual(expect.arrayContaining(['one', 'x'.repeat(101)]));
    expect(Object.keys(await snapshot(path('')))).toHaveLength(2);
    expect(await bytes('a')).toBe('one');
  });
});
