import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { descriptorsReachFiles } from '../../src/root/descriptor-folder.js';
import { callTool } from '../support/call-tool.js';
import { OUTSIDE, makeTree, snapshot, toolsWith } from '../support/tree.js';

const linux = await descriptorsReachFiles();

/**
 * Exchanges `shown` for `link` and back, as fast as the disk allows, until the thread ends. Where a call made the
 * missing folder anew in between, that one is moved away.
 */
const swapper = `
  const { renameSync } = require('node:fs');
  const { workerData: { shown, link, aside }, parentPort } = require('node:worker_threads');
  let made = 0;
  parentPort.postMessage('swapping');
  for (;;) {
    renameSync(shown, aside);
    try {
      renameSync(link, shown);
      renameSync(shown, link);
      renameSync(aside, shown);
    } catch {
      renameSync(shown, aside + ++made);
      renameSync(aside, shown);
    }
  }
`;

async function setUp(swapped: string, target: string) {
  const tree = await makeTree();
  await writeFile(join(tree.outside, 'sub', 'outside-only.txt'), OUTSIDE);
  await mkdir(join(tree.base, 'stage'));
  const link = join(tree.base, 'stage', 'link');
  await symlink(join(tree.outside, target), link);
  const before = await snapshot(tree.outside);
  const paths = { shown: join(tree.root, swapped), link, aside: join(tree.base, 'stage', 'aside') };
  const worker = new Worker(swapper, { eval: true, workerData: paths });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, 'message');
  const tools = toolsWith({ roots: { components: { path: tree.root, mode: 'rw' } } }, 'descriptor');
  const texts: string[] = [];
  let refused = 0;
  async function attempt(name: string, input: object): Promise<void> {
    try {
      texts.push((await callTool(tools, name, input)).text);
    } catch {
      refused++;
    }
  }
  const outcome = async () => ({ texts, refused, before, after: await snapshot(tree.outside) });
  const happened = (what: string) => texts.some((text) => text.includes(what));
  return { attempt, happened, outcome };
}

// Every write waits for the disk, which may be busy.
vi.setConfig({ testTimeout: 60_000 });

describe.runIf(linux)('while something swaps what a path means', () => {
  it('a folder that turns into a link leads nowhere else', async () => {
    const { attempt, outcome } = await setUp('hello', 'sub');
    for (let round = 0; round < 100; round++) {
      await attempt('read_file', { path: 'hello/b.txt' });
      await attempt('list_dir', { path: 'hello' });
      await attempt('write_file', { path: `hello/new-${round}.txt`, content: 'x' });
    }
    const { texts, refused, before, after } = await outcome();
    expect(after).toEqual(before);
    expect(texts.filter((text) => text.includes(OUTSIDE) || text.includes('outside-only'))).toEqual([]);
    expect(texts.some((text) => text.includes('inside b'))).toBe(true);
    expect(texts.some((text) => text.startsWith('Created'))).toBe(true);
    expect(refused, 'calls that met the swap').toBeGreaterThan(0);
  });

  it('a folder that turns into a link is not changed elsewhere', async () => {
    const { attempt, happened, outcome } = await setUp('hello', 'sub');
    const wanted = ['replacement', 'Made', 'Moved', 'Deleted'];
    // As often as it takes for each of them to slip through between two swaps.
    for (let round = 0; round < 40 || (round < 400 && !wanted.every(happened)); round++) {
      await attempt('write_file', { path: `hello/${round}.txt`, content: 'x' });
      await attempt('edit_file', { path: `hello/${round}.txt`, edits: [{ oldText: 'x', newText: 'y' }] });
      await attempt('make_dir', { path: `hello/dir-${round}` });
      await attempt('move_file', { path: `hello/${round}.txt`, to: `hello/dir-${round}/moved.txt` });
      await attempt('delete_file', { path: 'hello/b.txt' });
      await attempt('delete_file', { path: 'hello/outside-only.txt' });
    }
    const { texts, refused, before, after } = await outcome();
    expect(after).toEqual(before);
    for (const did of wanted) {
      expect(
        texts.some((text) => text.includes(did)),
        `something ${did}`,
      ).toBe(true);
    }
    expect(refused, 'calls that met the swap').toBeGreaterThan(0);
  });

  it('a file that turns into a link is not read', async () => {
    const { attempt, outcome } = await setUp('a.txt', 'secret.txt');
    for (let round = 0; round < 100; round++) await attempt('read_file', { path: 'a.txt' });
    const { texts, refused, before, after } = await outcome();
    expect(after).toEqual(before);
    expect(texts.filter((text) => text.includes(OUTSIDE))).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
    expect(refused, 'calls that met the swap').toBeGreaterThan(0);
  });

  it('a file that turns into a link is not written through', async () => {
    const { attempt, outcome } = await setUp('hello/b.txt', 'secret.txt');
    for (let round = 0; round < 100; round++)
      await attempt('write_file', { path: 'hello/b.txt', content: 'x' });
    const { texts, before, after } = await outcome();
    expect(after).toEqual(before);
    expect(texts.length).toBeGreaterThan(0);
  });
});
