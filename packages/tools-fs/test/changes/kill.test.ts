import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFileChangeLog } from '../../src/changes/open-file-change-log.js';
import { fsTools } from '../../src/index.js';
import { callTool, toolsOf } from '../support/call-tool.js';
import { openWorkshop } from '../support/workshop.js';

const child = fileURLToPath(new URL('./kill-child.ts', import.meta.url));
const ORIGINAL = 'what a person wrote\n'.repeat(3000);

/** A process that changes `f` and is killed when it has said `what` for the nth time. */
async function killAt(what: string, nth: number, hangs = false) {
  const { base, root } = await openWorkshop();
  await writeFile(join(root, 'f'), ORIGINAL);
  const worker = fork(child, [root, join(base, 'log'), ...(hangs ? ['hangs'] : [])], {
    execArgv: ['--import', 'tsx', '--conditions', '@harperfast/source'],
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  let said = 0;
  worker.on('message', (message) => {
    if (message === what && ++said === nth) worker.kill('SIGKILL');
  });
  const [, signal] = await once(worker, 'exit');
  expect(signal).toBe('SIGKILL');
  const changeLog = openFileChangeLog({ folder: join(base, 'log') });
  const provider = fsTools({ roots: { components: { path: root, mode: 'rw' } }, changeLog });
  onTestFinished(() => provider.close());
  return { root, provider, content: () => readFile(join(root, 'f'), 'utf8') };
}

describe('a process that is killed while it changes a file', () => {
  it('between keeping the previous content and replacing it leaves the old content, and nothing to take back', async () => {
    const { root, provider, content } = await killAt('kept', 1, true);
    expect(await content()).toBe(ORIGINAL);
    expect((await provider.listChanges('s1')).changes).toHaveLength(1);
    expect((await provider.revertChanges('s1', { to: 0 })).reverted).toEqual([]);
    expect(await content()).toBe(ORIGINAL);
    // The draft is left behind; the next write in the folder removes it.
    expect(await readdir(root)).toEqual([expect.stringMatching(/^\.agent-write-.*\.tmp$/), 'f']);
    const tools = await toolsOf(provider);
    await callTool(tools, 'write_file', { path: 'g', content: 'x' });
    expect(await readdir(root)).toEqual(['f', 'g']);
  });

  it.each([
    ['keeps', 4],
    ['kept', 3],
    ['changed', 3],
  ])(
    'leaves a whole content and a log that leads back, killed when it %s the %ith time',
    async (what, nth) => {
      const { provider, content } = await killAt(what, nth);
      const found = await content();
      expect([ORIGINAL, `${Number.parseInt(found, 10)} `.repeat(20_000)]).toContain(found);
      const { changes } = await provider.listChanges('s1');
      expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_change, index) => index + 1));
      // What it had kept, or changed, before the last thing it said.
      expect(changes.length).toBeGreaterThanOrEqual(what === 'keeps' ? nth - 1 : nth);
      await provider.revertChanges('s1', { to: 0 });
      expect(await content()).toBe(ORIGINAL);
    },
  );
});
