import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { descriptorsReachFiles } from '../../src/root/descriptor-folder.js';
import type { Hold } from '../../src/root/folder.js';
import { heldFolder } from '../../src/search/held-folder.js';
import { makeTree } from '../support/tree.js';

const holds: Hold[] = (await descriptorsReachFiles()) ? ['descriptor', 'check'] : ['check'];

describe.each(holds)('heldFolder by %s', (hold) => {
  async function open() {
    const { root } = await makeTree();
    if (hold === 'check') return { root, folder: heldFolder(root, hold) };
    const descriptor = openSync(root, 'r');
    onTestFinished(() => closeSync(descriptor));
    return { root, folder: heldFolder(`/proc/self/fd/${descriptor}`, hold) };
  }

  it('opens files and folders', async () => {
    const { folder } = await open();
    const hello = folder.enter('hello');
    const deep = hello.enter('deep');
    const descriptor = deep.openFile('c.txt');
    expect(readFileSync(descriptor, 'utf8')).toBe('inside c\n');
    closeSync(descriptor);
    deep.close();
    hello.close();
  });

  it('follows no link, whatever it leads to', async () => {
    const { root, folder } = await open();
    symlinkSync('hello', join(root, 'folder-link'));
    for (const name of ['leaf-link', 'inner-link', 'dangling', 'parent-link'])
      expect(() => folder.openFile(name), `file ${name}`).toThrow(/ELOOP|is no file/);
    for (const name of ['parent-link', 'folder-link', 'leaf-link'])
      expect(() => folder.enter(name), `folder ${name}`).toThrow(/ENOTDIR|ELOOP|is no folder/);
    expect(() => folder.enter('a.txt')).toThrow(/ENOTDIR|is no folder/);
  });

  it('waits for no pipe', async () => {
    const { root, folder } = await open();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    let opened: number | undefined;
    try {
      opened = folder.openFile('pipe');
    } catch {
      // Refused: as good.
    }
    if (opened !== undefined) closeSync(opened);
    expect(hold === 'check' ? opened : typeof opened).toBe(hold === 'check' ? undefined : 'number');
  });
});
