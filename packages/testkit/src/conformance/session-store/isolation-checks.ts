import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { sampleHeader, samplePrompt } from './samples.js';

// Ids that run into each other where keys are joined, cut, sorted as text or compared without case.
const ids = ['s1', 's10', 's1 0', 's1/1', 's1,1', 's', 'S1', 's1\uffff', 'sé', 'se\u0301', '1', '10', 's:1'];

export const isolationChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'keeps sessions apart whose ids resemble each other',
    async run({ store }) {
      await Promise.all(ids.map((id) => store.create(sampleHeader(id))));
      for (let seq = 1; seq <= 12; seq++) {
        await Promise.all(
          ids.map((id) =>
            store.append(id, seq - 1, [samplePrompt(seq, `${id} ${seq}`)], sampleHeader(id, { seq })),
          ),
        );
      }
      for (const id of ids) {
        const entries = Array.from({ length: 12 }, (_, index) =>
          samplePrompt(index + 1, `${id} ${index + 1}`),
        );
        expect(await store.load(id)).toEqual({ header: sampleHeader(id, { seq: 12 }), entries });
        expect(await store.read(id, { after: 9, limit: 100 })).toEqual(entries.slice(9));
      }
      expect((await store.list({ limit: 100 })).items.map((item) => item.id).toSorted()).toEqual(
        ids.toSorted(),
      );
    },
  },
  {
    name: 'deletes one of them and no other',
    async run({ store }) {
      for (const id of ids) {
        await store.create(sampleHeader(id));
        await store.append(id, 0, [samplePrompt(1, id)], sampleHeader(id, { seq: 1 }));
      }
      await store.delete('s1');
      await store.delete('s');
      for (const id of ids.filter((other) => other !== 's1' && other !== 's')) {
        expect((await store.load(id))?.entries).toEqual([samplePrompt(1, id)]);
      }
      expect(await store.load('s1')).toBeUndefined();
    },
  },
];
