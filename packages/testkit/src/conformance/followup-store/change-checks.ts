import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedFollowupStore } from '../describe-followup-store.js';
import { allOf, sampleFollowup } from './samples.js';

export const changeChecks: readonly Check<OpenedFollowupStore>[] = [
  {
    name: 'replaces the whole row',
    async run({ store }) {
      await store.write(sampleFollowup('a', { every: 1000, lastError: 'no', paused: 'budget' }), 0);
      const next = sampleFollowup('a', { revision: 2, prompt: 'another' });
      expect(await store.write(next, 1)).toBe(true);
      expect(await store.list()).toStrictEqual([next]);
    },
  },
  {
    name: 'leaves every other row alone',
    async run({ store }) {
      await Promise.all(['a', 'ab', 'b'].map((id) => store.write(sampleFollowup(id), 0)));
      await store.write(sampleFollowup('a', { revision: 2 }), 1);
      await store.delete('b');
      expect(await allOf(store)).toEqual([sampleFollowup('a', { revision: 2 }), sampleFollowup('ab')]);
    },
  },
  {
    name: 'removes a row whatever its revision, and takes it lightly when there is none',
    async run({ store }) {
      await store.write(sampleFollowup('a'), 0);
      await store.write(sampleFollowup('a', { revision: 2 }), 1);
      await store.delete('a');
      await store.delete('a');
      await store.delete('never there');
      expect(await store.list()).toEqual([]);
    },
  },
];
