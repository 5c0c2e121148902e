import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { expectConflict } from '../rejection.js';
import { sampleHeader, sampleJournal, samplePrompt, START } from './samples.js';

export const reopenChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'has everything when it is opened again, and goes on from there',
    applies: (opened) => opened.reopen !== undefined,
    async run(opened) {
      const { store } = opened;
      const seq = sampleJournal().length;
      for (const id of ['s1', 's10', 'gone']) await store.create(sampleHeader(id));
      await store.append(
        's1',
        0,
        sampleJournal(),
        sampleHeader('s1', { seq, status: 'awaiting_approval', updatedAt: START + 9 }),
      );
      await store.append('gone', 0, sampleJournal(), sampleHeader('gone', { seq }));
      await store.delete('gone');

      const reopened = (await opened.reopen?.()) ?? store;
      const header = sampleHeader('s1', { seq, status: 'awaiting_approval', updatedAt: START + 9 });
      expect(await reopened.load('s1')).toEqual({ header, entries: sampleJournal() });
      expect(await reopened.load('gone')).toBeUndefined();
      expect((await reopened.list({ limit: 10 })).items).toEqual([header, sampleHeader('s10')]);
      expect((await reopened.list({ limit: 10, status: 'awaiting_approval' })).items).toEqual([header]);

      await expectConflict(reopened.append('s1', seq - 1, [samplePrompt(seq)], sampleHeader('s1', { seq })));
      await expectConflict(reopened.create(sampleHeader('s10')));
      await reopened.append('s1', seq, [samplePrompt(seq + 1)], sampleHeader('s1', { seq: seq + 1 }));
      expect((await reopened.load('s1'))?.entries).toEqual([...sampleJournal(), samplePrompt(seq + 1)]);
    },
  },
];
