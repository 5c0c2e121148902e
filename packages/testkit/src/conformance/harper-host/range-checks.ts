import { expect } from 'vitest';
import type { HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';

type Key = readonly [string, number];

const SEQS = [300, 2, 100_000, 11, 1, 10];
const IN_ORDER = [1, 2, 10, 11, 300, 100_000];

export const rangeChecks: readonly HarperHostCheck[] = [
  {
    name: 'keeps rows with list keys in the order of their numbers, and finds each by its key',
    async run(bench) {
      await fill(bench, 'probe_ordered', 's');
      expect(await seqs(bench, 'probe_ordered', between('s', 0, 1e15))).toEqual(IN_ORDER);
      const one = await bench.main(async (here) =>
        here.plain(await here.table('probe_ordered').get(['s', 10])),
      );
      expect(one).toEqual({ id: ['s', 10], note: 's 10' });
    },
  },
  {
    name: 'finds with between both ends and what lies between them, as many as the limit says',
    async run(bench) {
      await fill(bench, 'probe_between', 's');
      expect(await seqs(bench, 'probe_between', between('s', 2, 300))).toEqual([2, 10, 11, 300]);
      expect(await seqs(bench, 'probe_between', { ...between('s', 2, 300), limit: 3 })).toEqual([2, 10, 11]);
      expect(await seqs(bench, 'probe_between', between('s', 12, 299))).toEqual([]);
    },
  },
  {
    name: 'gives the last rows of a range first when it is sorted descending by the key',
    async run(bench) {
      await fill(bench, 'probe_reversed', 's');
      const sort = { attribute: 'id', descending: true };
      expect(await seqs(bench, 'probe_reversed', { ...between('s', 0, 1e15), sort, limit: 2 })).toEqual([
        100_000, 300,
      ]);
    },
  },
  {
    name: 'never gives rows of another list in a range, however alike their names are',
    async run(bench) {
      for (const session of ['s1', 's', 's10', 's1 ', 'S1', 's2']) await fill(bench, 'probe_apart', session);
      for (const session of ['s1', 's', 's10']) {
        const rows = await search(bench, 'probe_apart', between(session, 0, 1e15));
        expect(rows).toEqual(IN_ORDER.map((seq) => ({ id: [session, seq], note: `${session} ${seq}` })));
      }
    },
  },
  {
    name: 'sorts by an indexed attribute, after its conditions, and stops at the limit',
    async run(bench) {
      await bench.main(async (here) => {
        const table = here.table('probe_indexed', 'status', 'at');
        for (const at of [3, 1, 5, 2, 4])
          await table.put(`k${at}`, { id: `k${at}`, at, status: at === 4 ? 'other' : 'same' });
      });
      const query = {
        conditions: [
          { attribute: 'at', comparator: 'less_than_equal', value: 4 },
          { attribute: 'status', comparator: 'equals', value: 'same' },
        ],
        sort: { attribute: 'at', descending: true },
        limit: 2,
      };
      const rows = await search(bench, 'probe_indexed', query, 'status', 'at');
      expect(rows).toEqual([
        { id: 'k3', at: 3, status: 'same' },
        { id: 'k2', at: 2, status: 'same' },
      ]);
    },
  },
];

function between(session: string, from: number, to: number) {
  const value = [
    [session, from],
    [session, to],
  ];
  return { conditions: [{ attribute: 'id', comparator: 'between', value }] };
}

function fill(bench: HarperHostBench, table: string, session: string): Promise<unknown> {
  return bench.main(
    async (here, name: string, keys: readonly Key[]) => {
      const opened = here.table(name);
      await Promise.all(keys.map((id) => opened.put(id, { id, note: id.join(' ') })));
    },
    table,
    SEQS.map((seq): Key => [session, seq]),
  );
}

function search(
  bench: HarperHostBench,
  table: string,
  query: object,
  ...indexed: readonly string[]
): Promise<unknown> {
  return bench.main(
    (here, name: string, asked: object, attributes: readonly string[]) =>
      here.rows(here.table(name, ...attributes).search(asked)),
    table,
    query,
    indexed,
  );
}

/** The numbers of the keys that are found. */
async function seqs(bench: HarperHostBench, table: string, query: object): Promise<unknown> {
  const rows = await search(bench, table, query);
  return Array.isArray(rows) ? rows.map(({ id }) => id[1]) : rows;
}
