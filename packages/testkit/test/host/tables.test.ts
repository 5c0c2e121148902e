import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTables, type Tables } from '../../src/host/index.js';
import { collect } from '../../src/host/tables/collect.js';

let path: string;
let tables: Tables;
const session = {
  table: 'session',
  database: 'system',
  attributes: [{ name: 'id', isPrimaryKey: true }, { name: 'at', indexed: true }, { name: 'note' }],
};
const item = { table: 'item', database: 'system', attributes: [{ name: 'key', isPrimaryKey: true }] };

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'tables-'));
  tables = openTables({ path });
});
afterEach(async () => {
  await tables.close();
  await rm(path, { recursive: true });
});

describe('Table', () => {
  it('returns what was put, deeply frozen', async () => {
    const table = tables.ensureTable(session);
    await table.put({ id: 'a', deep: { list: [{ x: 1 }] } });
    const record = await table.get('a');
    expect(record).toEqual({ id: 'a', deep: { list: [{ x: 1 }] } });
    expect(Object.isFrozen(record)).toBe(true);
    const { deep } = record as { deep: { list: unknown[] } };
    expect(Object.isFrozen(deep.list[0])).toBe(true);
    expect(Object.isFrozen(table.primaryStore.get('a'))).toBe(true);
  });

  it('takes the key beside the record, and lets it win', async () => {
    const table = tables.ensureTable(session);
    await table.put('b', { id: 'other', note: 'n' });
    expect(await table.get('b')).toEqual({ id: 'b', note: 'n' });
    expect(await table.get('other')).toBeUndefined();
  });

  it('keeps the record as it was when put was called', async () => {
    const table = tables.ensureTable(session);
    const record = { id: 'a', list: [1] };
    const written = table.put(record);
    record.list.push(2);
    await written;
    expect(await table.get('a')).toEqual({ id: 'a', list: [1] });
  });

  it('patches, creates with a key of its own, refuses a second create, and deletes', async () => {
    const table = tables.ensureTable(session);
    await table.put({ id: 'a', at: 1, note: 'n' });
    await table.patch('a', { at: 2 });
    expect(await table.get('a')).toEqual({ id: 'a', at: 2, note: 'n' });
    const created = await table.create({ note: 'new' });
    expect(await table.get(created['id'])).toEqual(created);
    await expect(table.create({ id: 'a' })).rejects.toMatchObject({ statusCode: 409 });
    expect(await table.delete('a')).toBe(true);
    expect(await table.delete('a')).toBe(false);
  });

  it('lets only one of two creates of one tick win', async () => {
    const table = tables.ensureTable(session);
    const outcomes = await Promise.allSettled([
      table.create({ id: 'a', at: 1 }),
      table.create({ id: 'a', at: 2 }),
      table.put({ id: 'b' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await table.get('a')).toMatchObject({ at: 1 });
    expect(await table.get('b')).toBeDefined();
  });

  it.each([
    [{ id: {} }],
    [{ id: Number.NaN }],
    [{ id: [] }],
    [{}],
    [{ id: 'x'.repeat(3000) }],
    [{ id: 'a', f: () => 1 }],
    [{ id: 'a', n: 2n ** 70n }],
    ['text'],
  ])('refuses %o with 400 and stays usable', async (record) => {
    const table = tables.ensureTable(session);
    await expect(table.put(record)).rejects.toMatchObject({ statusCode: 400 });
    await table.put({ id: 'fine' });
    expect(await table.get('fine')).toEqual({ id: 'fine' });
  });

  it('orders list keys by number and keeps prefix-similar ones apart', async () => {
    const table = tables.ensureTable(item);
    for (const seq of [100, 2, 10, 0]) await table.put({ key: ['s1', seq], seq });
    await table.put({ key: ['s10', 1], seq: 1 });
    const range = (value: unknown, comparator = 'between') =>
      collect(table.search({ conditions: [{ attribute: 'key', comparator, value }] })).then((rows) =>
        rows.map(({ seq }) => seq),
      );
    expect(
      await range([
        ['s1', 0],
        ['s1', Number.POSITIVE_INFINITY],
      ]),
    ).toEqual([0, 2, 10, 100]);
    expect(
      await range([
        ['s1', 2],
        ['s1', 10],
      ]),
    ).toEqual([2, 10]);
    expect(await range(['s1'], 'starts_with')).toEqual([0, 2, 10, 100]);
    const raw = table.primaryStore.getRange({
      start: ['s1', 2],
      exclusiveStart: true,
      end: ['s1', Number.POSITIVE_INFINITY],
    });
    expect([...raw].map(({ key }) => key)).toEqual([
      ['s1', 10],
      ['s1', 100],
    ]);
    const last = table.primaryStore.getRange({
      reverse: true,
      start: ['s1', Number.POSITIVE_INFINITY],
      end: ['s1'],
      limit: 1,
    });
    expect([...last].map(({ value }) => value['seq'])).toEqual([100]);
  });

  it('searches by every comparator, sorts, pages and selects', async () => {
    const table = tables.ensureTable(session);
    for (let at = 0; at < 10; at++)
      await table.put({ id: `s${at}`, at, note: at % 2 === 0 ? 'even' : 'odd' });
    const ids = async (query: object) => (await collect(table.search(query))).map(({ id }) => id);
    const on = (comparator: string, value: unknown, attribute = 'at') =>
      ids({ conditions: [{ attribute, comparator, value }] });
    expect(await on('equals', 3)).toEqual(['s3']);
    expect(await on('between', [2, 4])).toEqual(['s2', 's3', 's4']);
    expect(await on('greater_than', 7)).toEqual(['s8', 's9']);
    expect(await on('greater_than_equal', 8)).toEqual(['s8', 's9']);
    expect(await on('less_than', 1)).toEqual(['s0']);
    expect(await on('less_than_equal', 1)).toEqual(['s0', 's1']);
    expect(await on('starts_with', 'ev', 'note')).toHaveLength(5);
    expect(await on('starts_with', 's', 'id')).toHaveLength(10);
    expect(
      await ids({
        conditions: [{ attribute: 'note', value: 'odd' }],
        sort: { attribute: 'at', descending: true },
        limit: 2,
        offset: 1,
      }),
    ).toEqual(['s7', 's5']);
    expect(await ids({ sort: { attribute: 'id', descending: true }, limit: 2 })).toEqual(['s9', 's8']);
    expect(await collect(table.search({ limit: 1, select: ['note'] }))).toEqual([{ note: 'even' }]);
  });

  it('refuses to sort by what is not indexed with 404, and unknown comparators with 400', async () => {
    const table = tables.ensureTable(session);
    expect(() => table.search({ sort: { attribute: 'note' } })).toThrow(
      expect.objectContaining({ statusCode: 404 }),
    );
    expect(() => table.search({ conditions: [{ attribute: 'at', comparator: 'like', value: 1 }] })).toThrow(
      expect.objectContaining({ statusCode: 400 }),
    );
  });

  it('keeps tables whose names share a prefix apart', async () => {
    const [one, two] = [tables.ensureTable({ table: 'a' }), tables.ensureTable({ table: 'ab' })];
    await one.put({ id: 1 });
    await two.put({ id: 2 });
    expect(await collect(one.search())).toEqual([{ id: 1 }]);
    await tables.dropTable('data', 'a');
    expect(await collect(two.search())).toEqual([{ id: 2 }]);
    expect(await collect(tables.ensureTable({ table: 'a' }).search())).toEqual([]);
  });
});

describe('transaction', () => {
  it('commits all writes together when the callback resolves, and sees its own by key', async () => {
    const [one, two] = [tables.ensureTable(session), tables.ensureTable(item)];
    const seen = await tables.transaction(async () => {
      await one.put({ id: 'a', at: 1 });
      await two.put({ key: ['a', 1] });
      await one.patch('a', { at: 2 });
      expect(one.primaryStore.get('a')).toBeUndefined();
      return one.get('a');
    });
    expect(seen).toEqual({ id: 'a', at: 2 });
    expect(await one.get('a')).toEqual({ id: 'a', at: 2 });
    expect(await two.get(['a', 1])).toBeDefined();
  });

  it('writes nothing when the callback throws', async () => {
    const table = tables.ensureTable(session);
    await table.put({ id: 'kept' });
    const failed = tables.transaction({ user: {} }, async () => {
      await table.put({ id: 'a' });
      await table.delete('kept');
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await table.get('a')).toBeUndefined();
    expect(await table.get('kept')).toBeDefined();
  });

  it('writes nothing when the commit itself is refused, and does not hurt another of the same tick', async () => {
    const table = tables.ensureTable(session);
    await table.put({ id: 'b' });
    const outcomes = await Promise.allSettled([
      tables.transaction(async () => {
        await table.put({ id: 'a' });
        await table.create({ id: 'new' });
        // Taken by the other one, whose commit comes first.
        await table.create({ id: 'raced' });
      }),
      table.create({ id: 'raced' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await table.get('a')).toBeUndefined();
    expect(await table.get('new')).toBeUndefined();
  });

  it('keeps concurrent transactions apart and joins nested ones', async () => {
    const table = tables.ensureTable(session);
    const run = (id: string, fail: boolean) =>
      tables.transaction(async () => {
        await table.put({ id });
        await tables.transaction(() => table.put({ id: `${id}-inner` }));
        if (fail) throw new Error(id);
      });
    await Promise.allSettled([run('a', false), run('b', true)]);
    expect((await collect(table.search())).map(({ id }) => id)).toEqual(['a', 'a-inner']);
  });

  it('lets work that outlives it write for itself', async () => {
    const table = tables.ensureTable(session);
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    let late: Promise<void> = Promise.resolve();
    await tables.transaction(() => {
      late = gate.then(() => table.put({ id: 'late' }));
    });
    release();
    await late;
    expect(await table.get('late')).toEqual({ id: 'late' });
  });
});

describe('openTables', () => {
  it('finds tables, definitions and databases again after reopening', async () => {
    await tables.ensureTable(session).put({ id: 'a', text: 'ü\u2028😀' });
    await tables.createDatabase('shop');
    await tables.close();
    tables = openTables({ path });
    expect(await tables.table('system', 'session').get('a')).toEqual({ id: 'a', text: 'ü\u2028😀' });
    expect(tables.table('system', 'session').attributes).toEqual(session.attributes);
    expect(Object.keys(tables.databases)).toContain('shop');
  });

  it('rejects reads and writes after close instead of ending the process', async () => {
    const table = tables.ensureTable(session);
    await tables.close();
    await expect(table.put({ id: 'a' })).rejects.toMatchObject({ statusCode: 503 });
    await expect(table.get('a')).rejects.toMatchObject({ statusCode: 503 });
  });

  it('applies a changed definition to the table there is', async () => {
    const table = tables.ensureTable({ table: 'dog' });
    await table.put({ id: 1, name: 'Rex' });
    const again = tables.ensureTable({
      table: 'dog',
      attributes: [
        { name: 'id', isPrimaryKey: true },
        { name: 'name', indexed: true },
      ],
    });
    expect(again).toBe(table);
    expect(await collect(table.search({ sort: { attribute: 'name' } }))).toEqual([{ id: 1, name: 'Rex' }]);
  });
});
