import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { draftName, isLeftover } from '../../src/root/draft-name.js';
import { openWorkshop } from '../support/workshop.js';

const own = draftName();
const of = (pid: number | string) => own.replace(`-${process.pid}-`, `-${pid}-`);
// Larger than any process has.
const GONE = 2 ** 22 + 1;
const now = Date.now();
const started = now - process.uptime() * 1000;
const DAY_MS = 24 * 60 * 60_000;

describe('isLeftover', () => {
  it.each([
    ['of a process that is gone', of(GONE), now, true],
    ['of a process that had our number before', own, started - 10_000, true],
    ['of this process', own, now, false],
    ['of a process that lives', of(process.ppid), now, false],
    ['of a process of somebody else', of(1), now, false],
    ['of another machine', own.replace(/write-[0-9a-f]{8}/, 'write-00000000'), now - 1000, false],
    [
      'of another machine, a day old',
      own.replace(/write-[0-9a-f]{8}/, 'write-00000000'),
      now - DAY_MS - 1,
      true,
    ],
    ['that only looks like one', '.agent-write-mine.tmp', 0, false],
  ])('tells a draft %s', (_whose, name, written, expected) => {
    expect(hostname()).not.toBe('');
    expect(isLeftover(name, written, now)).toBe(expected);
  });
});

describe('drafts that a killed process left', () => {
  it('go with the first write in their folder, and nothing else does', async () => {
    const { root, path, call } = await openWorkshop();
    await writeFile(path(of(GONE)), 'half');
    await writeFile(path('.agent-write-mine.tmp'), 'a person named it so');
    await writeFile(path(own), 'at work');
    await mkdir(path(of(GONE + 1)));
    await call('write_file', { path: 'a', content: 'x' });
    expect((await readdir(root)).toSorted()).toEqual(
      ['.agent-write-mine.tmp', own, of(GONE + 1), 'a'].toSorted(),
    );
  });

  it('keep no folder from being deleted', async () => {
    const { root, path, call } = await openWorkshop();
    await mkdir(path('dir'));
    await writeFile(path(`dir/${of(GONE)}`), 'half');
    await call('delete_file', { path: 'dir' });
    expect(await readdir(root)).toEqual([]);
    await mkdir(path('dir'));
    await writeFile(path(`dir/${own}`), 'at work');
    await expect(call('delete_file', { path: 'dir' })).rejects.toMatchObject({ code: 'not_empty' });
  });

  it('are no way to make a file disappear: no tool moves one there', async () => {
    const { path, call } = await openWorkshop();
    await writeFile(path('a'), 'keep me');
    await utimes(path('a'), 0, 0);
    await expect(call('move_file', { path: 'a', to: of(GONE) })).rejects.toMatchObject({
      code: 'tool_denied',
    });
  });
});
