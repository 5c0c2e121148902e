import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedFollowupStore } from '../describe-followup-store.js';
import { sampleFollowup } from './samples.js';

export const claimChecks: readonly Check<OpenedFollowupStore>[] = [
  {
    name: 'refuses a new row where there is one, and changes nothing',
    async run({ store }) {
      await store.write(sampleFollowup('a', { prompt: 'first' }), 0);
      expect(await store.write(sampleFollowup('a', { prompt: 'second' }), 0)).toBe(false);
      expect(await store.list()).toEqual([sampleFollowup('a', { prompt: 'first' })]);
    },
  },
  {
    name: 'refuses a writer that has seen an older row',
    async run({ store }) {
      await store.write(sampleFollowup('a'), 0);
      await store.write(sampleFollowup('a', { revision: 2 }), 1);
      expect(await store.write(sampleFollowup('a', { revision: 2, prompt: 'late' }), 1)).toBe(false);
      expect(await store.list()).toEqual([sampleFollowup('a', { revision: 2 })]);
    },
  },
  {
    name: 'refuses a writer that has seen a row which is not there yet',
    async run({ store }) {
      await store.write(sampleFollowup('a'), 0);
      expect(await store.write(sampleFollowup('a', { revision: 3 }), 2)).toBe(false);
      expect(await store.list()).toEqual([sampleFollowup('a')]);
    },
  },
  {
    name: 'does not bring back what was deleted',
    async run({ store }) {
      await store.write(sampleFollowup('a'), 0);
      await store.delete('a');
      expect(await store.write(sampleFollowup('a', { revision: 2 }), 1)).toBe(false);
      expect(await store.list()).toEqual([]);
      expect(await store.write(sampleFollowup('a'), 0)).toBe(true);
    },
  },
  {
    name: 'lets one of many claims of the same moment through',
    async run({ store }) {
      await store.write(sampleFollowup('a'), 0);
      const claims = Array.from({ length: 20 }, (_, index) =>
        store.write(sampleFollowup('a', { revision: 2, state: 'firing', attempts: index }), 1),
      );
      const won = (await Promise.all(claims)).flatMap((taken, index) => (taken ? [index] : []));
      expect(won).toHaveLength(1);
      expect(await store.list()).toMatchObject([{ revision: 2, attempts: won[0] }]);
    },
  },
  {
    name: 'lets one of many new rows of one id through',
    async run({ store }) {
      const rows = Array.from({ length: 20 }, (_, index) => sampleFollowup('a', { prompt: `${index}` }));
      const won = (await Promise.all(rows.map((row) => store.write(row, 0)))).indexOf(true);
      expect(await store.list()).toEqual([rows[won]]);
    },
  },
  {
    name: 'takes claims of many rows in one tick',
    async run({ store }) {
      const ids = Array.from({ length: 200 }, (_, index) => `f${index}`);
      await Promise.all(ids.map((id) => store.write(sampleFollowup(id), 0)));
      const claims = await Promise.all(
        ids.map((id) => store.write(sampleFollowup(id, { revision: 2, state: 'firing' }), 1)),
      );
      expect(claims.every(Boolean)).toBe(true);
      expect((await store.list()).every(({ state }) => state === 'firing')).toBe(true);
    },
  },
];
