import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { rejection } from '../rejection.js';
import { sampleHeader, samplePrompt, samplePrompts } from './samples.js';

export const deleteChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'removes the session from load, read and list',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, samplePrompts(1, 3), sampleHeader('s1', { seq: 3, status: 'completed' }));
      await store.delete('s1');
      expect(await store.load('s1')).toBeUndefined();
      expect(await store.read('s1', { after: 0, limit: 10 })).toEqual([]);
      expect((await store.list({ limit: 10 })).items).toEqual([]);
      expect((await store.list({ limit: 10, status: 'completed' })).items).toEqual([]);
    },
  },
  {
    name: 'does nothing for a session that does not exist or no longer does',
    async run({ store }) {
      await store.delete('nobody');
      await store.create(sampleHeader('s1'));
      await store.delete('s1');
      await store.delete('s1');
      expect(await store.load('s1')).toBeUndefined();
    },
  },
  {
    name: 'refuses appends afterwards',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, [samplePrompt(1)], sampleHeader('s1', { seq: 1 }));
      await store.delete('s1');
      await rejection(store.append('s1', 1, [samplePrompt(2)], sampleHeader('s1', { seq: 2 })));
      await rejection(store.append('s1', 0, [samplePrompt(1)], sampleHeader('s1', { seq: 1 })));
      expect(await store.load('s1')).toBeUndefined();
    },
  },
  {
    name: 'leaves nothing behind for a new session of the same id, however long the old one was',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, samplePrompts(1, 1500), sampleHeader('s1', { seq: 1500 }));
      await store.delete('s1');
      await store.create(sampleHeader('s1', { title: 'Anew' }));
      await store.append('s1', 0, [samplePrompt(1, 'Anew')], sampleHeader('s1', { seq: 1, title: 'Anew' }));
      const expected = {
        header: sampleHeader('s1', { seq: 1, title: 'Anew' }),
        entries: [samplePrompt(1, 'Anew')],
      };
      expect(await store.load('s1')).toEqual(expected);
      expect(await store.read('s1', { after: 1, limit: 2000 })).toEqual([]);
    },
  },
];
