import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedFollowupStore } from '../describe-followup-store.js';
import { allOf, sampleFollowup } from './samples.js';

/** Every field there is. */
const FULL = sampleFollowup('full', {
  state: 'done',
  every: 300_000,
  until: 1_893_459_600_000,
  slot: 12,
  missed: 2,
  attempts: 3,
  delivered: 9,
  givenUp: 1,
  paused: 'budget',
  lastError: 'the queue is full',
  lastRun: { slot: 11, at: 1_893_459_300_000, reason: 'model_error', error: 'no answer' },
  settledAt: 1_893_459_600_123,
});

export const keepingChecks: readonly Check<OpenedFollowupStore>[] = [
  {
    name: 'is empty at first',
    async run({ store }) {
      expect(await store.list()).toEqual([]);
    },
  },
  {
    name: 'gives back every field as it was written, and no other',
    async run({ store }) {
      const bare = sampleFollowup('bare');
      expect(await store.write(FULL, 0)).toBe(true);
      expect(await store.write(bare, 0)).toBe(true);
      expect(await allOf(store)).toStrictEqual([bare, FULL]);
    },
  },
  {
    name: 'keeps any text',
    async run({ store }) {
      const prompt = 'zeile 1\n\ttab "quoted" \\ ünïcode 🎈\u0000\u2028 __proto__ {"a":1}';
      const followup = sampleFollowup('fu_:/é', { prompt, sessionId: 'ses_"\\' });
      await store.write(followup, 0);
      expect(await store.list()).toStrictEqual([followup]);
    },
  },
  {
    name: 'keeps times far beyond 32 bits',
    async run({ store }) {
      const followup = sampleFollowup('far', { dueAt: 8_640_000_000_000_000, wakeAt: 2 ** 40 + 1 });
      await store.write(followup, 0);
      expect(await store.list()).toStrictEqual([followup]);
    },
  },
  {
    name: 'hands out and takes copies',
    async run({ store }) {
      const written = { ...sampleFollowup('a') };
      await store.write(written, 0);
      Object.assign(written, { prompt: 'changed by the writer' });
      for (const row of await store.list()) {
        // Some stores freeze what they hand out: that protects them as well.
        if (!Object.isFrozen(row)) Object.assign(row, { prompt: 'changed by a reader' });
      }
      expect(await store.list()).toEqual([sampleFollowup('a')]);
    },
  },
  {
    name: 'lists a thousand and more',
    async run({ store }) {
      const rows = Array.from({ length: 1200 }, (_, index) => sampleFollowup(`f${1000 + index}`));
      await Promise.all(rows.map((row) => store.write(row, 0)));
      expect(await allOf(store)).toEqual(rows);
    },
  },
  {
    name: 'has everything when it is opened again, and goes on from there',
    applies: (opened) => opened.reopen !== undefined,
    async run(opened) {
      const { store } = opened;
      await store.write(sampleFollowup('a'), 0);
      await store.write(sampleFollowup('a', { revision: 2, state: 'firing' }), 1);
      await store.write(sampleFollowup('b'), 0);
      await store.delete('b');
      const next = (await opened.reopen?.()) ?? store;
      expect(await next.list()).toEqual([sampleFollowup('a', { revision: 2, state: 'firing' })]);
      expect(await next.write(sampleFollowup('a', { revision: 2 }), 1)).toBe(false);
      expect(await next.write(sampleFollowup('a', { revision: 3 }), 2)).toBe(true);
    },
  },
];
