import { chmod, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FsLimits } from '../../src/options.js';
import { callTool } from '../support/call-tool.js';
import { toolsWith } from '../support/tree.js';

async function setUp(limits: Partial<FsLimits> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'write-file-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const roots = { components: { path: root, mode: 'rw' }, logs: { path: root, mode: 'r' } } as const;
  const tools = toolsWith({ roots, limits }, 'descriptor');
  const write = (input: object, signal?: AbortSignal) =>
    callTool(tools, 'write_file', { path: 'f', ...input }, signal);
  return { root, write, file: join(root, 'f') };
}

describe('write_file', () => {
  it('makes a file and its folders, and says what it did', async () => {
    const { write, root } = await setUp();
    const made = await write({ path: 'hello/src/a.js', content: 'export {};\n' });
    const { hash } = Object(made.data);
    expect(made).toEqual({
      text: `Created hello/src/a.js in components: 11 bytes, hash ${hash}.`,
      data: { root: 'components', path: 'hello/src/a.js', bytes: 11, hash, created: true },
    });
    expect(await readdir(join(root, 'hello/src'))).toEqual(['a.js']);
    const emptied = await write({ path: 'hello/src/a.js', content: '' });
    expect(emptied.text).toBe(
      `Replaced hello/src/a.js in components: 0 bytes (was 11), hash ${Object(emptied.data).hash}.`,
    );
  });

  it('writes exactly the bytes of the content', async () => {
    const { write, file } = await setUp();
    const text = fc.string({
      unit: fc.constantFrom('a', '\r\n', '\n', '\r', '\t', '\0', '\uFEFF', 'é', '😀', '$HOME', '\\n'),
    });
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        await write({ content });
        expect((await readFile(file)).equals(Buffer.from(content))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps the permissions of a file it replaces', async () => {
    const { write, file } = await setUp();
    for (const mode of [0o755, 0o600, 0o664]) {
      await writeFile(file, 'old');
      await chmod(file, mode);
      await write({ content: 'new' });
      expect((await stat(file)).mode & 0o777).toBe(mode);
    }
  });

  it('refuses a file that nobody may write', async () => {
    const { write, file } = await setUp();
    await writeFile(file, 'old');
    await chmod(file, 0o444);
    await expect(write({ content: 'new' })).rejects.toThrow(/no write permission \(mode 444\)/);
    expect(await readFile(file, 'utf8')).toBe('old');
  });

  it('shows a reader the old content or the new one, never a part', async () => {
    const { write, file } = await setUp();
    const contents = new Set(['a', 'b'].map((letter) => letter.repeat(200_000)));
    const [first, second] = [...contents];
    await write({ content: first });
    let writing = true;
    const seen = (async () => {
      const wrong: number[] = [];
      while (writing) {
        const content = await readFile(file, 'utf8');
        if (!contents.has(content)) wrong.push(content.length);
      }
      return wrong;
    })();
    for (let round = 0; round < 20; round++) await write({ content: round % 2 === 0 ? second : first });
    writing = false;
    expect(await seen).toEqual([]);
  });

  it('lets writes of one file at once end with one of them whole, and leaves no drafts', async () => {
    const { write, root, file } = await setUp();
    const contents = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(50_000));
    await Promise.all(contents.map((content) => write({ content })));
    expect(contents).toContain(await readFile(file, 'utf8'));
    expect(await readdir(root)).toEqual(['f']);
  });

  it('makes the same new folders for calls at once', async () => {
    const { write, root } = await setUp();
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => write({ path: `x/y/z/${index}`, content: '' })),
    );
    expect((await readdir(join(root, 'x/y/z'))).length).toBe(8);
  });

  it('refuses more than its limit and touches nothing', async () => {
    const { write, root } = await setUp({ writeBytes: 10 });
    await expect(write({ path: 'x/y', content: 'ééééé1' })).rejects.toThrow(
      'the content has 11 bytes, the limit is 10',
    );
    await write({ content: 'ééééé' });
    expect(await readdir(root)).toEqual(['f']);
  });

  it('takes 5 MiB by default', async () => {
    const { write } = await setUp();
    const limit = 5 * 1024 * 1024;
    expect((await write({ content: 'x'.repeat(limit) })).data).toMatchObject({ bytes: limit });
    await expect(write({ content: 'x'.repeat(limit + 1) })).rejects.toThrow(/limit is 5242880/);
  });

  it.each([
    ['a private key', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n', /private key/],
    ['half a character', 'a\ud800b', /lone surrogate/],
  ])('refuses %s', async (_what, content, why) => {
    const { write, root } = await setUp();
    await expect(write({ path: 'x/y', content })).rejects.toThrow(why);
    expect(await readdir(root)).toEqual([]);
  });

  it('refuses a read-only root and names what can be written', async () => {
    const { write, root } = await setUp();
    await expect(write({ root: 'logs', path: 'x/y', content: '' })).rejects.toThrow(
      "the root 'logs' is read only. Roots: components (read and write), logs (read only).",
    );
    expect(await readdir(root)).toEqual([]);
  });

  it.each(['', '.', 'a/', 'a/..', './'])('refuses %j, which names a folder', async (path) => {
    const { write, root } = await setUp();
    await expect(write({ path, content: '' })).rejects.toThrow(/names a folder/);
    expect(await readdir(root)).toEqual([]);
  });

  it('writes nothing for a call that was cancelled before', async () => {
    const { write, root } = await setUp();
    await expect(write({ content: 'x' }, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
      'cancelled',
    );
    expect(await readdir(root)).toEqual([]);
  });
});
