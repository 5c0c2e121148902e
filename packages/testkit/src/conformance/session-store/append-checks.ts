import type { Entry, SessionHeader } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { rejection } from '../rejection.js';
import { sampleHeader, samplePrompt, samplePrompts, sampleRound } from './samples.js';

export const appendChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'adds entries after the last one and replaces the header',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, samplePrompts(1, 2), sampleHeader('s1', { seq: 2, status: 'running' }));
      const header = sampleHeader('s1', {
        seq: 3,
        status: 'completed',
        stopReason: 'answered',
        updatedAt: 1_893_456_789_012,
      });
      await store.append('s1', 2, [samplePrompt(3)], header);
      expect(await store.load('s1')).toEqual({ header, entries: samplePrompts(1, 3) });
    },
  },
  {
    name: 'forgets what the new header no longer says',
    async run({ store }) {
      const failed = {
        seq: 1,
        status: 'error',
        stopReason: 'budget',
        lastError: { code: 'budget', message: 'spent' },
      } as const;
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, [samplePrompt(1)], sampleHeader('s1', failed));
      await store.append('s1', 1, [samplePrompt(2)], sampleHeader('s1', { seq: 2, status: 'running' }));
      expect((await store.load('s1'))?.header).toEqual(sampleHeader('s1', { seq: 2, status: 'running' }));
    },
  },
  {
    name: 'writes the header alone when there is no entry',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, samplePrompts(1, 1), sampleHeader('s1', { seq: 1 }));
      const header = sampleHeader('s1', { seq: 1, title: 'Renamed' });
      await store.append('s1', 1, [], header);
      expect(await store.load('s1')).toEqual({ header, entries: samplePrompts(1, 1) });
    },
  },
  {
    name: 'keeps the order of a thousand entries, in one append and in many',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, samplePrompts(1, 900), sampleHeader('s1', { seq: 900 }));
      for (let seq = 901; seq <= 1000; seq++) {
        await store.append('s1', seq - 1, [samplePrompt(seq)], sampleHeader('s1', { seq }));
      }
      expect((await store.load('s1'))?.entries).toEqual(samplePrompts(1, 1000));
    },
  },
  {
    name: 'applies the appends of one session in the order they were made, without waiting between them',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      const appends = [1, 2, 3, 4, 5].map((seq) =>
        store.append('s1', seq - 1, [samplePrompt(seq)], sampleHeader('s1', { seq })),
      );
      await Promise.all(appends);
      expect(await store.load('s1')).toEqual({
        header: sampleHeader('s1', { seq: 5 }),
        entries: samplePrompts(1, 5),
      });
    },
  },
  {
    name: 'never shows a header without its entries or entries without their header',
    async run({ store }) {
      await store.create(sampleHeader('s1'));
      let writing = true;
      const writer = (async () => {
        for (let seq = 0; seq < 400; seq += 8) {
          await store.append('s1', seq, samplePrompts(seq + 1, 8), sampleHeader('s1', { seq: seq + 8 }));
        }
      })().finally(() => (writing = false));
      while (writing) {
        const loaded = await store.load('s1');
        expect(loaded?.entries.length).toBe(loaded?.header.seq);
        // Some stores answer a load without ever leaving the microtasks; the writer has to get its turn.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await writer;
    },
  },
  {
    name: 'writes nothing when one of its entries cannot be stored, and leaves the rest of the tick alone',
    async run({ store }) {
      await checkUnstorable(
        store,
        [samplePrompt(1), unstorable(sampleRound(2, {}))],
        sampleHeader('s1', { seq: 2 }),
      );
    },
  },
  {
    name: 'writes nothing when its header cannot be stored',
    async run({ store }) {
      await checkUnstorable(store, [samplePrompt(1)], unstorable(sampleHeader('s1', { seq: 1 })));
    },
  },
  {
    name: 'refuses a session that does not exist, and makes none',
    async run({ store }) {
      await rejection(store.append('nobody', 0, [samplePrompt(1)], sampleHeader('nobody', { seq: 1 })));
      expect(await store.load('nobody')).toBeUndefined();
      expect(await store.read('nobody', { after: 0, limit: 10 })).toEqual([]);
      expect((await store.list({ limit: 10 })).items).toEqual([]);
    },
  },
  {
    name: 'takes five hundred sessions in one tick',
    async run({ store }) {
      const ids = Array.from({ length: 500 }, (_, index) => `s${index}`);
      await Promise.all(ids.map((id) => store.create(sampleHeader(id))));
      await Promise.all(
        ids.map((id, index) =>
          store.append(id, 0, [samplePrompt(1, id)], sampleHeader(id, { seq: 1, updatedAt: index })),
        ),
      );
      for (const [index, id] of ids.entries()) {
        const header = sampleHeader(id, { seq: 1, updatedAt: index });
        expect(await store.load(id)).toEqual({ header, entries: [samplePrompt(1, id)] });
      }
    },
  },
];

async function checkUnstorable(
  store: OpenedStore['store'],
  entries: readonly Entry[],
  header: SessionHeader,
): Promise<void> {
  await store.create(sampleHeader('s1'));
  await store.create(sampleHeader('s2'));
  const poisoned = store.append('s1', 0, entries, header);
  const sound = store.append('s2', 0, [samplePrompt(1)], sampleHeader('s2', { seq: 1 }));
  await Promise.all([rejection(poisoned), sound]);
  expect(await store.load('s1')).toEqual({ header: sampleHeader('s1'), entries: [] });
  expect(await store.load('s2')).toEqual({
    header: sampleHeader('s2', { seq: 1 }),
    entries: [samplePrompt(1)],
  });
  await store.append('s1', 0, [samplePrompt(1)], sampleHeader('s1', { seq: 1 }));
  expect((await store.load('s1'))?.entries).toEqual([samplePrompt(1)]);
}

/** The same with a field that throws when it is read: no way of copying or encoding gets past it. */
function unstorable<T extends object>(value: T): T {
  return Object.defineProperty({ ...value }, 'broken', {
    enumerable: true,
    get() {
      throw new Error('This field cannot be read, on purpose');
    },
  });
}
