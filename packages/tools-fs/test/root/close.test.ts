import { appendFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { descriptorsReachFiles, openDescriptorFolder } from '../../src/root/descriptor-folder.js';
import { readRoots } from '../../src/options.js';
import { createJail } from '../../src/root/jail.js';
import { createScope } from '../../src/root/scope.js';
import { createSecretsRule } from '../../src/root/secrets.js';
import { makeTree } from '../support/tree.js';

const linux = await descriptorsReachFiles();

/** What this process has open below a folder. */
function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [];
    } catch {
      // The one the list was read with.
      return [];
    }
  });
}

describe.runIf(linux)('what a jail has open', () => {
  async function setUp(file?: string) {
    const { base, root } = await makeTree();
    const path = file === undefined ? root : join(root, file);
    const single = new Set(file === undefined ? [] : ['components']);
    const scope = createScope(readRoots({ components: { path, mode: 'rw' } }), single, createSecretsRule());
    const place = (at: string) => scope.locate('components', at, 'file');
    return { base, root, jail: createJail(scope), place };
  }

  it('is one file while it is read, and nothing afterwards', async () => {
    const { base, root, jail, place } = await setUp();
    const content = await jail.withFile(await place('hello/deep/c.txt'), async ({ file, size }) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(20), 0, 20, 0);
      expect(size).toBe(9);
      return buffer.toString('utf8', 0, bytesRead);
    });
    expect(content).toBe('inside c\n');
    expect(openBelow(base)).toEqual([]);
    await jail.inParent(await place('hello/deep/c.txt'), async ({ self }) => {
      expect(readlinkSync(self)).toBe(join(root, 'hello/deep'));
    });
    expect(openBelow(base)).toEqual([]);
  });

  it.each([
    'none.txt',
    'none/x.txt',
    'hello/deep/none.txt',
    'leaf-link',
    'hello/up-link/a.txt',
    'hello/b.txt/x',
    'hello',
  ])('is nothing after %s was refused', async (path) => {
    const { base, jail, place } = await setUp();
    await expect(jail.withFile(await place(path), async () => 1)).rejects.toThrow(
      /does not exist|symbolic link|is a folder|is a file where/,
    );
    expect(openBelow(base)).toEqual([]);
  });

  it('is nothing after the work in it failed, of a single file too', async () => {
    for (const file of [undefined, 'hello/b.txt']) {
      const { base, jail, place } = await setUp(file);
      const at = await place(file === undefined ? 'hello/b.txt' : '.');
      const failing = () => Promise.reject(new Error('the work failed'));
      await expect(jail.withFile(at, failing)).rejects.toThrow('the work failed');
      await expect(jail.inParent(at, failing)).rejects.toThrow('the work failed');
      expect(openBelow(base)).toEqual([]);
    }
  });

  it.each([true, false])(
    'is no folder that was closed (at once: %s), nor another file less when it is closed again',
    async (atOnce) => {
      const { base, root } = await setUp();
      const folder = await openDescriptorFolder(root);
      const inner = await folder.enter('hello');
      await Promise.all([folder.close(atOnce), inner.close(atOnce)]);
      expect(openBelow(base)).toEqual([]);
      const files = [await open(join(root, 'a.txt')), await open(join(root, 'hello/b.txt'))];
      await Promise.all([folder.close(atOnce), inner.close(!atOnce)]);
      expect(openBelow(base).toSorted()).toEqual(['root/a.txt', 'root/hello/b.txt']);
      for (const file of files) await file.close();
    },
  );

  it('is the file that was opened, also when everything above it is gone', async () => {
    const { base, root, jail, place } = await setUp();
    await jail.withFile(await place('hello/deep/c.txt'), async ({ file }) => {
      appendFileSync(join(root, 'hello/deep/c.txt'), 'more');
      rmSync(root, { recursive: true });
      expect(await file.readFile('utf8')).toBe('inside c\nmore');
    });
    expect(openBelow(base)).toEqual([]);
  });
});
