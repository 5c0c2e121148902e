import type { Entry, SessionStore } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { sampleHeader, samplePrompt, samplePrompts } from './samples.js';

export const readChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'gives the entries after a place, in order, as many as asked for',
    async run({ store }) {
      await journalOf120(store);
      expect(await store.read('s1', { after: 0, limit: 3 })).toEqual(samplePrompts(1, 3));
      expect(await store.read('s1', { after: 9, limit: 2 })).toEqual(samplePrompts(10, 2));
      expect(await store.read('s1', { after: 98, limit: 4 })).toEqual(samplePrompts(99, 4));
    },
  },
  {
    name: 'gives what is left when fewer are there, and nothing at and past the end',
    async run({ store }) {
      await journalOf120(store);
      expect(await store.read('s1', { after: 118, limit: 50 })).toEqual(samplePrompts(119, 2));
      expect(await store.read('s1', { after: 120, limit: 50 })).toEqual([]);
      expect(await store.read('s1', { after: 9999, limit: 50 })).toEqual([]);
    },
  },
  {
    name: 'pages through the whole journal without a gap or a repetition',
    async run({ store }) {
      await journalOf120(store);
      const read: Entry[] = [];
      for (let page = 0; page < 18; page++) {
        read.push(...(await store.read('s1', { after: read.at(-1)?.seq ?? 0, limit: 7 })));
      }
      expect(read).toEqual(samplePrompts(1, 120));
    },
  },
  {
    name: 'sees an append as soon as it has resolved',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      for (let seq = 1; seq <= 20; seq++) {
        await store.append('s1', seq - 1, [samplePrompt(seq)], sampleHeader('s1', { seq }));
        expect(await store.read('s1', { after: seq - 1, limit: 5 })).toEqual([samplePrompt(seq)]);
        expect((await store.load('s1'))?.header.seq).toBe(seq);
      }
    },
  },
  {
    name: 'knows nothing of sessions that do not exist, whatever their name',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      for (const id of ['s2', '__proto__', 'constructor', 'toString']) {
        expect(await store.load(id)).toBeUndefined();
        expect(await store.read(id, { after: 0, limit: 10 })).toEqual([]);
      }
    },
  },
];

async function journalOf120(store: SessionStore): Promise<void> {
  await store.create(sampleHeader('s1'));
  await store.append('s1', 0, samplePrompts(1, 60), sampleHeader('s1', { seq: 60 }));
  await store.append('s1', 60, samplePrompts(61, 60), sampleHeader('s1', { seq: 120 }));
}
