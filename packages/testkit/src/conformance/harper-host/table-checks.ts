import { expect } from 'vitest';
import type { HarperHostCheck } from './harper-host-check.js';
import type { Here } from './here.js';

const RECORD = { id: 'a', status: 'idle', at: 1.5, none: null, deep: { list: [{ x: 'é' }, 2, true] } };

export const tableChecks: readonly HarperHostCheck[] = [
  {
    name: 'gives the table of databases.system for ensureTable, whenever it is called again',
    async run(bench) {
      const found = await bench.main(async (here) => {
        await here.table('probe_ensured').put('a', { id: 'a' });
        const { databases } = globalThis as unknown as { databases: { system: Record<string, unknown> } };
        const again = here.table('probe_ensured');
        return [again === databases.system['probe_ensured'], here.plain(await again.get('a'))];
      });
      expect(found).toEqual([true, { id: 'a' }]);
    },
  },
  {
    name: 'keeps a record as it was put, readable field by field and as JSON; an unknown key has none',
    async run(bench) {
      const found = await bench.main(async (here, record: { id: string; deep: object }) => {
        const table = here.table('probe_kept', 'status');
        await table.put(record.id, record);
        const got = Object(await table.get('a'));
        const { id, status, deep } = got;
        return {
          fields: here.plain({ id, status, deep }),
          whole: here.plain(got),
          none: (await table.get('z')) ?? null,
        };
      }, RECORD);
      const { id, status, deep } = RECORD;
      expect(found).toEqual({ fields: { id, status, deep }, whole: RECORD, none: null });
    },
  },
  {
    name: 'is not changed by who changes a record it gave',
    async run(bench) {
      const found = await bench.main(async (here) => {
        const table = here.table('probe_unchanged');
        await table.put('a', { id: 'a', note: 'first', deep: { list: [1] } });
        const got = Object(await table.get('a'));
        await here.attempt(() => void (got.note = 'second'));
        await here.attempt(() => got.deep.list.push(2));
        return here.plain(await table.get('a'));
      });
      expect(found).toEqual({ id: 'a', note: 'first', deep: { list: [1] } });
    },
  },
  {
    name: 'replaces with put, merges with patch, and takes away with delete',
    async run(bench) {
      const found = await bench.main(async (here) => {
        const table = here.table('probe_changed');
        const states: unknown[] = [];
        const look = async () => states.push(here.plain(await table.get('a')));
        await table.put('a', { id: 'a', one: 1, two: 2 });
        await table.put('a', { id: 'a', two: 3 });
        await look();
        await table.patch('a', { three: 4 });
        await look();
        await table.delete('a');
        await look();
        await table.put({ id: 'a', four: 5 });
        await look();
        return states;
      });
      expect(found).toEqual([{ id: 'a', two: 3 }, { id: 'a', two: 3, three: 4 }, null, { id: 'a', four: 5 }]);
    },
  },
  {
    name: 'refuses to create what is there, and keeps that',
    async run(bench) {
      const found = await bench.main(async (here) => {
        const table = here.table('probe_created');
        await table.create({ id: 'a', by: 'first' });
        const second = await here.attempt(() => table.create({ id: 'a', by: 'second' }));
        return [Object.keys(second), here.plain(await table.get('a'))];
      });
      expect(found).toEqual([['error'], { id: 'a', by: 'first' }]);
    },
  },
  {
    name: 'takes keys of 900 characters, and refuses one of 2,500 without harm to the others',
    async run(bench) {
      const found = await bench.main(async (here) => {
        const table = here.table('probe_long_keys');
        const long = 'k'.repeat(900);
        await table.put(long, { id: long, note: 'kept' });
        const longer = 'k'.repeat(2500);
        const refused = await here.attempt(() => table.put(longer, { id: longer }));
        const got = Object(await table.get(long));
        return [Object.keys(refused), got.note];
      });
      expect(found).toEqual([['error'], 'kept']);
    },
  },
  {
    name: 'shows workers at once what the main thread wrote, and the main thread what they wrote',
    async run(bench) {
      const put = async (here: Here, id: string) => {
        await here.table('probe_shared').put(id, { id, from: here.threadId });
        return here.threadId;
      };
      const get = async (here: Here, id: string) =>
        Object(here.plain(await here.table('probe_shared').get(id))).from ?? null;
      for (let round = 0; round < 10; round++) {
        const id = `r${round}`;
        const main = await bench.main(put, `${id}m`);
        const [one, two] = await bench.workers();
        const worker = await bench.worker(put, { args: [`${id}w`] });
        for (const at of [one, two]) {
          if (at === undefined) throw new Error('A worker is missing');
          expect(await bench.worker(get, { at, args: [`${id}m`] })).toBe(main);
          expect(await bench.worker(get, { at, args: [`${id}w`] })).toBe(worker);
        }
        expect(await bench.main(get, `${id}w`)).toBe(worker);
      }
    },
  },
  {
    name: "lets nobody write a component's table of the system database by operations",
    async run(bench) {
      await bench.main((here) => here.table('probe_guarded').put('a', { id: 'a', note: 'mine' }));
      const target = { database: 'system', table: 'probe_guarded' };
      const records = [{ id: 'a', note: 'yours' }];
      for (const body of [
        { operation: 'insert', ...target, records },
        { operation: 'update', ...target, records },
        { operation: 'upsert', ...target, records },
        { operation: 'delete', ...target, ids: ['a'] },
      ]) {
        const { status = 0 } = await bench.send(body);
        expect([body.operation, status >= 400]).toEqual([body.operation, true]);
      }
      const found = await bench.main(async (here) => here.plain(await here.table('probe_guarded').get('a')));
      expect(found).toEqual({ id: 'a', note: 'mine' });
    },
  },
];
