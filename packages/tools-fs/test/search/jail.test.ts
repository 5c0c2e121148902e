import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { descriptorsReachFiles } from '../../src/root/descriptor-folder.js';
import type { Hold } from '../../src/root/folder.js';
import { callTool } from '../support/call-tool.js';
import { OUTSIDE, makeTree, toolsWith } from '../support/tree.js';

const linux = await descriptorsReachFiles();
const holds: Hold[] = linux ? ['descriptor', 'check'] : ['check'];

describe.each(holds)('a search, holding folders by %s', (hold) => {
  it('reads nothing outside the root and nothing withheld, and waits for no pipe', async () => {
    const { root } = await makeTree();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const tools = toolsWith({ roots: { components: { path: root, mode: 'r' } } }, hold);
    const grep = await callTool(tools, 'grep_files', { pattern: 'O|inside', includeIgnored: true });
    expect(grep.text).toBe(
      '[. in components: 3 matching lines in 3 files; 3 files searched]\na.txt\n1: inside a\nhello/b.txt\n1: inside b\nhello/deep/c.txt\n1: inside c',
    );
    const find = await callTool(tools, 'find_files', { globs: ['**'], want: 'any', includeIgnored: true });
    expect(find.text.split('\n').slice(1)).toEqual([
      'a.txt',
      'hello/',
      'hello/b.txt',
      'hello/deep/',
      'hello/deep/c.txt',
    ]);
    for (const path of [
      'leaf-link',
      'parent-link',
      'parent-link/sub',
      'hello/up-link',
      'dangling',
      '../outside',
      '/etc',
      'keys',
      '.env',
    ]) {
      await expect(callTool(tools, 'grep_files', { pattern: '.', path })).rejects.toMatchObject({
        code: 'tool_denied',
      });
      await expect(callTool(tools, 'find_files', { globs: ['*'], path })).rejects.toMatchObject({
        code: 'tool_denied',
      });
    }
  });

  it('searches a root that is one single file', async () => {
    const { root } = await makeTree();
    const options = { roots: { config: { path: join(root, 'a.txt'), mode: 'r' } } } as const;
    const tools = toolsWith(options, hold, ['config']);
    for (const path of ['.', 'a.txt']) {
      expect((await callTool(tools, 'grep_files', { pattern: 'inside', path })).text).toContain(
        'a.txt\n1: inside a',
      );
    }
    expect((await callTool(tools, 'find_files', { globs: ['*'] })).text).toContain('1 path]\na.txt');
    expect((await callTool(tools, 'tail_file', { path: '.' })).text).toContain('inside a');
  });
});

/** Exchanges a folder and a file for links that lead outside, and back, until the thread ends. */
const swapper = `
  const { renameSync } = require('node:fs');
  const { workerData: pairs, parentPort } = require('node:worker_threads');
  parentPort.postMessage('swapping');
  for (;;) for (const { shown, link, aside } of pairs) {
    renameSync(shown, aside); renameSync(link, shown); renameSync(shown, link); renameSync(aside, shown);
  }
`;

describe.runIf(linux)('a search while something swaps folders and files for links', () => {
  it('shows nothing from outside', async () => {
    const { base, root, outside } = await makeTree();
    // They are read between the look at the names and the opening of those that are swapped.
    for (let index = 0; index < 100; index++) await writeFile(join(root, `f-${index}`), 'inside f\n');
    await writeFile(join(root, 'z.txt'), 'inside z\n');
    await mkdir(join(base, 'stage'));
    const pair = async (shown: string, target: string) => {
      const stage = join(base, 'stage', shown.replaceAll('/', '-'));
      await symlink(join(outside, target), `${stage}-link`);
      return { shown: join(root, shown), link: `${stage}-link`, aside: `${stage}-aside` };
    };
    const workerData = [await pair('hello', 'sub'), await pair('z.txt', 'secret.txt')];
    const worker = new Worker(swapper, { eval: true, workerData });
    onTestFinished(async () => void (await worker.terminate()));
    await once(worker, 'message');
    const tools = toolsWith({ roots: { components: { path: root, mode: 'r' } } }, 'descriptor');
    const texts: string[] = [];
    for (let round = 0; round < 60; round++) {
      const { text } = await callTool(tools, 'grep_files', { pattern: `${OUTSIDE}|inside [abcz]` });
      texts.push(text);
    }
    expect(texts.filter((text) => text.includes(OUTSIDE))).toEqual([]);
    expect(texts.some((text) => text.includes('inside b'))).toBe(true);
    expect(
      texts.some((text) => !text.includes('inside b')),
      'searches that met the swap',
    ).toBe(true);
  });
});
