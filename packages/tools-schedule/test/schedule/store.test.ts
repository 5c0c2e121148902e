import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFollowup } from '../../src/schedule/followup-steps.js';
import { createMemoryFollowupStore } from '../../src/schedule/store.js';
import { createFileFollowupStore } from '../support/file-followup-store.js';

const followup = (id: string, prompt = 'check') =>
  newFollowup({ id, sessionId: 's', prompt }, { dueAt: 10 }, 0);

async function inNewFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'followups-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return createFileFollowupStore(folder);
}

describe.each([
  ['createMemoryFollowupStore', async () => createMemoryFollowupStore()],
  ['the file store of these tests', inNewFolder],
])('%s', (_name, open) => {
  it('gives back what was written', async () => {
    const store = await open();
    const written = { ...followup('a', 'ünïcode 🎈 "quoted"\n'), every: 5, until: 50, lastError: 'no' };
    expect(await store.write(written, 0)).toBe(true);
    expect(await store.list()).toEqual([written]);
  });

  it('refuses a new one where there is one', async () => {
    const store = await open();
    await store.write(followup('a', 'first'), 0);
    expect(await store.write(followup('a', 'second'), 0)).toBe(false);
    expect(await store.list()).toEqual([followup('a', 'first')]);
  });

  it('lets one of two writers of the same revision through', async () => {
    const store = await open();
    await store.write(followup('a'), 0);
    const next = (prompt: string) => ({ ...followup('a', prompt), revision: 2 });
    expect(await Promise.all([store.write(next('one'), 1), store.write(next('two'), 1)])).toEqual([
      true,
      false,
    ]);
    expect(await store.list()).toEqual([next('one')]);
  });

  it('does not bring back what was deleted', async () => {
    const store = await open();
    await store.write(followup('a'), 0);
    await store.delete('a');
    await store.delete('a');
    expect(await store.write({ ...followup('a'), revision: 2 }, 1)).toBe(false);
    expect(await store.list()).toEqual([]);
  });

  it('hands out copies', async () => {
    const store = await open();
    await store.write(followup('a'), 0);
    const [row] = await store.list();
    Object.assign(row!, { prompt: 'changed' });
    expect(await store.list()).toEqual([followup('a')]);
  });
});
