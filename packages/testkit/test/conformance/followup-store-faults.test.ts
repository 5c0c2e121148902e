import type { Followup, FollowupStore } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { followupStoreChecks } from '../../src/conformance/describe-followup-store.js';
import type { OpenedFollowupStore } from '../../src/conformance/describe-followup-store.js';
import { failingChecks } from './failing-checks.js';

/** A sound store, over rows that can be looked at. */
function soundStore(rows: Map<string, string>): FollowupStore {
  const read = (text: string): Followup => JSON.parse(text);
  return {
    list: async () => [...rows.values()].map(read),
    async write(followup, expected) {
      const present = rows.get(followup.id);
      if ((present === undefined ? 0 : read(present).revision) !== expected) return false;
      rows.set(followup.id, JSON.stringify(followup));
      return true;
    },
    async delete(id) {
      rows.delete(id);
    },
  };
}

type Spoil = (sound: FollowupStore, rows: Map<string, string>) => Partial<FollowupStore>;

function failing(spoil: Spoil, noticedBy?: string, forgetful = false): Promise<string[]> {
  const open = async (): Promise<OpenedFollowupStore> => {
    const rows = new Map<string, string>();
    const sound = soundStore(rows);
    const store = { ...sound, ...spoil(sound, rows) };
    const reopen = async () => (forgetful ? soundStore(new Map()) : store);
    return { store, reopen, close: async () => undefined };
  };
  return failingChecks(followupStoreChecks, open, (opened) => opened.close(), noticedBy);
}

const faults: readonly (readonly [fault: string, noticedBy: string, spoil: Spoil])[] = [
  [
    'ignores the expected revision',
    'refuses a writer that has seen an older row',
    (sound, rows) => ({
      async write(followup, expected) {
        if (expected > 0) rows.set(followup.id, JSON.stringify(followup));
        return expected > 0 || sound.write(followup, expected);
      },
    }),
  ],
  [
    'writes a new row over another',
    'refuses a new row where there is one, and changes nothing',
    (sound, rows) => ({
      async write(followup, expected) {
        if (expected === 0) rows.delete(followup.id);
        return sound.write(followup, expected);
      },
    }),
  ],
  [
    'takes any later revision',
    'refuses a writer that has seen a row which is not there yet',
    (sound, rows) => ({
      async write(followup, expected) {
        const present: { revision?: number } = JSON.parse(rows.get(followup.id) ?? '{}');
        if ((present.revision ?? 0) < expected)
          rows.set(followup.id, JSON.stringify({ ...followup, revision: expected }));
        return sound.write(followup, expected);
      },
    }),
  ],
  [
    'looks and writes in two steps',
    'lets one of many claims of the same moment through',
    (sound, rows) => ({
      async write(followup, expected) {
        const present: { revision?: number } = JSON.parse(rows.get(followup.id) ?? '{}');
        await new Promise((resolve) => setImmediate(resolve));
        if ((present.revision ?? 0) !== expected) return false;
        rows.set(followup.id, JSON.stringify(followup));
        return true;
      },
    }),
  ],
  [
    'brings a deleted row back',
    'does not bring back what was deleted',
    (sound, rows) => ({
      async write(followup, expected) {
        if (!rows.has(followup.id))
          rows.set(followup.id, JSON.stringify({ ...followup, revision: expected }));
        return sound.write(followup, expected);
      },
    }),
  ],
  [
    'merges into the row',
    'replaces the whole row',
    (sound, rows) => ({
      async write(followup, expected) {
        const present: object = JSON.parse(rows.get(followup.id) ?? '{}');
        return sound.write({ ...present, ...followup }, expected);
      },
    }),
  ],
  [
    'drops a field',
    'gives back every field as it was written, and no other',
    (sound) => ({
      list: async () => (await sound.list()).map(({ lastRun: _dropped, ...rest }) => rest),
    }),
  ],
  [
    'keeps times in 32 bits',
    'keeps times far beyond 32 bits',
    (sound) => ({
      write: (followup, expected) => sound.write({ ...followup, dueAt: followup.dueAt | 0 }, expected),
    }),
  ],
  [
    'hands out its own rows',
    'hands out and takes copies',
    () => {
      const own: Followup[] = [];
      return { list: async () => own, write: async (followup) => own.push(followup) > 0 };
    },
  ],
  [
    'lists a page',
    'lists a thousand and more',
    (sound) => ({ list: async () => (await sound.list()).slice(0, 1000) }),
  ],
  [
    'deletes by prefix',
    'leaves every other row alone',
    (_sound, rows) => ({
      async delete(id) {
        for (const key of rows.keys())
          if (key.startsWith(id[0] ?? '') || key.startsWith('a')) rows.delete(key);
      },
    }),
  ],
  [
    'throws where there is nothing to delete',
    'removes a row whatever its revision, and takes it lightly when there is none',
    (_sound, rows) => ({
      async delete(id) {
        if (!rows.delete(id)) throw new Error(`There is no ${id}`);
      },
    }),
  ],
];

describe('describeFollowupStore', () => {
  it('finds no fault in a sound store', async () => {
    expect(await failing(() => ({}))).toEqual([]);
  });

  it.each(faults)('notices a store that %s', async (_fault, noticedBy, spoil) => {
    expect(await failing(spoil, noticedBy)).toEqual([noticedBy]);
  });

  it('notices a store that forgets its rows when it is opened again', async () => {
    const noticedBy = 'has everything when it is opened again, and goes on from there';
    expect(await failing(() => ({}), noticedBy, true)).toEqual([noticedBy]);
  });
});
