import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FsLimits } from '../../src/options.js';
import { callTool } from '../support/call-tool.js';
import { toolsWith } from '../support/tree.js';

async function setUp(files: Record<string, string>, limits: Partial<FsLimits> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'list-dir-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const tools = toolsWith({ roots: { components: { path: root, mode: 'rw' } }, limits }, 'descriptor');
  return { root, list: (input: object, signal?: AbortSignal) => callTool(tools, 'list_dir', input, signal) };
}

describe('list_dir', () => {
  const files = { 'b/deep/d.txt': '1234', 'b/c.txt': '123', 'a.txt': '1', 'b-2.txt': '12' };

  it('lists one level by default, sorted, with sizes', async () => {
    const { list } = await setUp(files);
    expect(await list({})).toEqual({
      text: '[. in components: 3 entries]\na.txt 1\nb/\nb-2.txt 2',
      data: {
        root: 'components',
        path: '.',
        complete: true,
        entries: [
          { path: 'a.txt', kind: 'file', size: 1 },
          { path: 'b', kind: 'folder' },
          { path: 'b-2.txt', kind: 'file', size: 2 },
        ],
      },
    });
  });

  it.runIf(process.platform === 'linux')('leaves out no name that it cannot say', async () => {
    const { list, root } = await setUp({ 'a.txt': '1' });
    await writeFile(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), '12');
    expect((await list({})).text).toBe(
      '[. in components: 2 entries]\na.txt 1\ncaf\uFFFD (its name is not UTF-8)',
    );
  });

  it('goes as deep as asked, each folder followed by what is in it', async () => {
    const { list } = await setUp(files);
    expect((await list({ depth: 2 })).text.split('\n').slice(1)).toEqual([
      'a.txt 1',
      'b/',
      'b/c.txt 3',
      'b/deep/',
      'b-2.txt 2',
    ]);
    expect((await list({ path: 'b', depth: 2 })).text.split('\n').slice(1)).toEqual([
      'c.txt 3',
      'deep/',
      'deep/d.txt 4',
    ]);
  });

  it('stops at its cap, the deepest first to go, and says so', async () => {
    const { list } = await setUp(files, { listEntries: 4 });
    const { text, truncated, data } = await list({ depth: 3 });
    expect(text).toContain('4 entries; not all');
    expect(truncated).toBe(true);
    expect(data).toMatchObject({ complete: false });
    expect(text.split('\n').slice(1)).toEqual(['a.txt 1', 'b/', 'b/c.txt 3', 'b-2.txt 2']);
  });

  it('is complete when the cap is met exactly', async () => {
    const { list } = await setUp(files, { listEntries: 3 });
    expect((await list({})).truncated).toBeUndefined();
  });

  it('opens node_modules only when it is the path', async () => {
    const { list } = await setUp({ 'node_modules/zod/index.js': '', 'x.js': '' });
    expect((await list({ depth: 4 })).text).toBe(
      '[. in components: 2 entries]\nnode_modules/ (not opened)\nx.js 0',
    );
    expect((await list({ path: 'node_modules', depth: 2 })).text).toContain('zod/index.js 0');
  });

  it('quotes a name with a line break, which could pass for another entry', async () => {
    const { list } = await setUp({ 'a\nfake 12': '' });
    expect((await list({})).text).toBe('[. in components: 1 entry]\n"a\\nfake 12" 0');
  });

  it('reads no more names of a large folder than it needs for a useful answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`f${index}`, '']));
    const { list } = await setUp(many, { listEntries: 5 });
    const { text, truncated } = await list({});
    expect(text).toContain('5 entries; not all');
    expect(truncated).toBe(true);
  });

  it('stops when the call is cancelled', async () => {
    const { list } = await setUp(files);
    await expect(list({}, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
  });
});
