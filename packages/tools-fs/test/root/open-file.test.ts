import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { descriptorsReachFiles } from '../../src/root/descriptor-folder.js';
import { entryStats } from '../../src/root/entry-stats.js';
import type { Folder, Hold } from '../../src/root/folder.js';
import { openFile } from '../../src/root/open-file.js';
import { openFolder } from '../../src/root/open-folder.js';
import { replaceFile } from '../../src/root/replace-file.js';
import { contentOf } from '../../src/text/hash.js';
import { OUTSIDE, makeTree, snapshot } from '../support/tree.js';

const holds: Hold[] = (await descriptorsReachFiles()) ? ['descriptor', 'check'] : ['check'];

/** A real folder in which `swap` happens just before the system call that needs the nth path. */
async function openSwapping(path: string, hold: Hold, nth: number, swap: () => void): Promise<Folder> {
  const folder = await openFolder(path, hold);
  onTestFinished(() => folder.close());
  let asked = 0;
  return {
    ...folder,
    reach(name) {
      if (++asked === nth) swap();
      return folder.reach(name);
    },
  };
}

describe.each(holds)('between the look and the open, holding folders by %s', (hold) => {
  it('a file that became a link is not opened', async () => {
    const { root, outside } = await makeTree();
    const folder = await openSwapping(root, hold, 2, () => {
      unlinkSync(join(root, 'a.txt'));
      symlinkSync(join(outside, 'secret.txt'), join(root, 'a.txt'));
    });
    await expect(openFile(folder, 'a.txt', 'a.txt')).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('a file that became a pipe is refused and waits for nobody', async () => {
    const { root } = await makeTree();
    const folder = await openSwapping(root, hold, 2, () => {
      unlinkSync(join(root, 'a.txt'));
      execFileSync('mkfifo', [join(root, 'a.txt')]);
    });
    await expect(openFile(folder, 'a.txt', 'a.txt')).rejects.toThrow('a.txt is a pipe');
  });

  it('a folder above that became a link leads to the file it held, or nowhere', async () => {
    const { root, outside, base } = await makeTree();
    const folder = await openSwapping(join(root, 'hello'), hold, 2, () => {
      renameSync(join(root, 'hello'), join(base, 'moved'));
      symlinkSync(join(outside, 'sub'), join(root, 'hello'));
    });
    const content = await openFile(folder, 'b.txt', 'b.txt').then(
      async ({ file }) => {
        const text = await file.readFile('utf8');
        await file.close();
        return text;
      },
      (error: unknown) => String(error),
    );
    expect(content).toMatch(hold === 'descriptor' ? /^inside b/ : /was replaced while it was opened/);
  });
});

describe.each(holds)('between the look and the write, holding folders by %s', (hold) => {
  /** Replaces `a.txt`, as it was seen, by 'new'. */
  async function replace(folder: Folder, ready: () => Promise<void> = async () => undefined): Promise<void> {
    const { hash, pieces } = await contentOf(Buffer.from('new'));
    const existing = await entryStats(folder, 'a.txt');
    const replacement = {
      content: pieces(),
      hash,
      mode: undefined,
      existing,
      ready: () => ready().then(() => async () => undefined),
    };
    await replaceFile(folder, 'a.txt', replacement, 'a.txt', new AbortController().signal);
  }

  it('a file that became a link is replaced itself, not what it points to', async () => {
    const { root, outside } = await makeTree();
    const folder = await openSwapping(root, hold, 5, () => {
      unlinkSync(join(root, 'a.txt'));
      symlinkSync(join(outside, 'secret.txt'), join(root, 'a.txt'));
    });
    await replace(folder);
    expect((await lstat(join(root, 'a.txt'))).isFile()).toBe(true);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('new');
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe(`${OUTSIDE}\n`);
  });

  it('a file that became a folder stays one, and no draft is left', async () => {
    const { root } = await makeTree();
    const folder = await openSwapping(root, hold, 5, () => {
      unlinkSync(join(root, 'a.txt'));
      mkdirSync(join(root, 'a.txt'));
    });
    await expect(replace(folder)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(execFileSync('ls', ['-a', root], { encoding: 'utf8' })).not.toContain('.agent-write');
  });

  it.each([
    ['written to', (path: string) => appendFileSync(path, 'theirs')],
    ['replaced', (path: string) => (writeFileSync(`${path}.x`, 'inside b\n'), renameSync(`${path}.x`, path))],
    ['removed', unlinkSync],
  ])('a file that was %s while the new content was prepared is left alone', async (_what, change) => {
    const { root } = await makeTree();
    const folder = await openFolder(root, hold);
    onTestFinished(() => folder.close());
    let theirs: Record<string, string> = {};
    const replacing = replace(folder, async () => {
      change(join(root, 'a.txt'));
      theirs = await snapshot(root);
    });
    await expect(replacing).rejects.toThrow('a.txt was changed by someone else during the call');
    const drafts = Object.keys(theirs).filter((path) => path.includes('.agent-write'));
    expect(drafts).toHaveLength(1);
    delete theirs[drafts[0]!];
    expect(await snapshot(root)).toEqual(theirs);
  });
});
