import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { expectConflict } from '../rejection.js';
import { sampleHeader, samplePrompt, samplePrompts } from './samples.js';

export const conflictChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'refuses an append after an older entry and one after an entry that is not there',
    async run({ store }) {
      const header = sampleHeader('s1', { seq: 3 });
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, samplePrompts(1, 3), header);
      for (const after of [0, 2, 4]) {
        const entry = samplePrompt(after + 1, 'Late');
        await expectConflict(
          store.append('s1', after, [entry], sampleHeader('s1', { seq: after + 1, title: 'Late' })),
        );
      }
      expect(await store.load('s1')).toEqual({ header, entries: samplePrompts(1, 3) });
    },
  },
  {
    name: 'refuses a header alone after an older entry',
    async run({ store }) {
      const header = sampleHeader('s1', { seq: 2 });
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, samplePrompts(1, 2), header);
      await expectConflict(store.append('s1', 1, [], sampleHeader('s1', { seq: 1, status: 'aborted' })));
      expect((await store.load('s1'))?.header).toEqual(header);
    },
  },
  {
    name: 'lets exactly one of two racing appends in, entries and header alike',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      const texts = ['One', 'Two'];
      const outcomes = await Promise.allSettled(
        texts.map((text) =>
          store.append('s1', 0, [samplePrompt(1, text)], sampleHeader('s1', { seq: 1, title: text })),
        ),
      );
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
      const winner = texts[outcomes.findIndex((outcome) => outcome.status === 'fulfilled')];
      const loaded = await store.load('s1');
      expect(loaded?.entries).toEqual([samplePrompt(1, winner)]);
      expect(loaded?.header.title).toBe(winner);
    },
  },
  {
    name: 'does not hurt the other appends of the tick, before it, after it, of its own session and of others',
    async run({ store }) {
      for (const id of ['s1', 's2', 's3']) await store.create(sampleHeader(id));
      const append = (id: string, after: number): Promise<void> =>
        store.append(id, after, [samplePrompt(after + 1)], sampleHeader(id, { seq: after + 1 }));
      const before = append('s1', 0);
      const wrong = append('s2', 7);
      const own = append('s2', 0);
      const later = append('s3', 0);
      await Promise.all([before, expectConflict(wrong), own, later]);
      for (const id of ['s1', 's2', 's3']) {
        expect(await store.load(id)).toEqual({
          header: sampleHeader(id, { seq: 1 }),
          entries: [samplePrompt(1)],
        });
      }
    },
  },
];
