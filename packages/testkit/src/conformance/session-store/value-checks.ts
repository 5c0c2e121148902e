import type { Entry, JsonObject, JsonValue, SessionStore } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { plainJson } from './plain-json.js';
import { sampleHeader, sampleJournal, samplePrompt, samplePrompts, sampleRound } from './samples.js';

const texts = {
  empty: '',
  'in many scripts': 'Ünï¢ödé — 日本語 — עברית — 👩‍👩‍👧 — e\u0301',
  'with control characters': 'nul \u0000, escape \u001b[31m, line\r\nbreaks\u2028\u2029 and a tab\t',
  'that looks like JSON': '{"kind":"prompt"} \\" \\u0000 ${x}',
  'of 200 KB': 'a long line, ä€𝄞\n'.repeat(10_000),
};

export const valueChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'gives back entries of every kind as they were, by load and by read',
    run: ({ store }) => checkReturned(store, sampleJournal()),
  },
  ...Object.entries(texts).map(([what, text]) => ({
    name: `gives back text ${what}`,
    run: ({ store }: OpenedStore) =>
      checkReturned(store, [samplePrompt(1, text), sampleRound(2, { content: text })]),
  })),
  {
    name: 'gives back arguments that are deep, wide and of every JSON type',
    async run({ store }) {
      let deep: JsonValue = 'the bottom';
      for (let level = 0; level < 60; level++) deep = level % 2 ? [deep] : { level: deep };
      const wide = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key ${index}`, index]));
      const numbers = [0, -1, 0.1, 1e-7, 1.5e300, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 53];
      await checkReturned(store, [
        sampleRound(1, {
          deep,
          wide,
          numbers,
          null: null,
          yes: true,
          no: false,
          none: [],
          nothing: {},
          '': 'no name',
        }),
      ]);
    },
  },
  {
    name: 'keeps keys such as __proto__ as data',
    async run({ store }) {
      const odd: JsonObject = JSON.parse(
        '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":"x","a":{"__proto__":"deep"},"hasOwnProperty":0}',
      );
      await checkReturned(store, [sampleRound(1, odd)]);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  },
  {
    name: 'is not touched by changes to what it gave back',
    async run({ store }) {
      const header = sampleHeader('s1', { seq: 2 });
      const entries = [samplePrompt(1), sampleRound(2, { list: [1, 2] })];
      await store.create(sampleHeader('s1'));
      await store.append('s1', 0, entries, header);
      deface(await store.load('s1'));
      deface(await store.read('s1', { after: 0, limit: 10 }));
      deface(await store.list({ limit: 10 }));
      expect(await store.load('s1')).toEqual({ header, entries });
      expect(await store.read('s1', { after: 0, limit: 10 })).toEqual(entries);
      expect((await store.list({ limit: 10 })).items).toEqual([header]);
    },
  },
  {
    name: 'is not touched by changes to what it was given',
    async run({ store }) {
      const created = sampleHeader('s1');
      await store.create(created);
      deface(created);
      expect((await store.load('s1'))?.header).toEqual(sampleHeader('s1'));
      const header = sampleHeader('s1', { seq: 2 });
      const entries = [samplePrompt(1), sampleRound(2, { list: [1, 2] })];
      await store.append('s1', 0, entries, header);
      deface(header);
      deface(entries);
      const expected = {
        header: sampleHeader('s1', { seq: 2 }),
        entries: [samplePrompt(1), sampleRound(2, { list: [1, 2] })],
      };
      expect(await store.load('s1')).toEqual(expected);
    },
  },
  {
    name: 'takes values that are frozen',
    async run({ store }) {
      const header = Object.freeze(sampleHeader('s1', { seq: 3 }));
      await store.create(Object.freeze(sampleHeader('s1')));
      await store.append(
        's1',
        0,
        Object.freeze(samplePrompts(1, 3).map((entry) => Object.freeze(entry))),
        header,
      );
      expect(await store.load('s1')).toEqual({ header, entries: samplePrompts(1, 3) });
    },
  },
];

async function checkReturned(store: SessionStore, entries: readonly Entry[]): Promise<void> {
  const seq = entries.length;
  await store.create(sampleHeader('s1'));
  await store.append('s1', 0, entries, sampleHeader('s1', { seq }));
  const loaded = (await store.load('s1'))?.entries;
  expect(loaded).toEqual(entries);
  expect(plainJson(loaded)).toBe(plainJson(entries));
  expect(plainJson(await store.read('s1', { after: 0, limit: seq }))).toBe(plainJson(entries));
}

/** Overwrites everything in it that is not frozen, and adds to it. */
function deface(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    deface(Reflect.get(value, key));
    Reflect.set(value, key, 'defaced');
  }
  Reflect.set(value, Array.isArray(value) ? value.length : 'added', 'defaced');
}
