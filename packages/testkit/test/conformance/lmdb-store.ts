import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotFoundError, StoreConflictError } from '@harperfast/agent-core/contracts';
import type { SessionStore } from '@harperfast/agent-core/contracts';
import { open } from 'lmdb';
import type { Key } from 'lmdb';
import type { OpenedStore } from '../../src/conformance/index.js';

/**
 * A plain session store on LMDB, group commit and all: the suite has to hold for a store that writes to disk. Values
 * are JSON text, because LMDB's own encoding renames a key called __proto__.
 */
export async function openLmdbStore(): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-store-'));
  let env = openEnv(folder);
  return {
    store: storeOn(env),
    async reopen() {
      await env.close();
      env = openEnv(folder);
      return storeOn(env);
    },
    async close() {
      await env.close();
      await rm(folder, { recursive: true });
    },
  };
}

type Env = ReturnType<typeof openEnv>;

function openEnv(folder: string) {
  return open<string, Key>({
    path: join(folder, 'db'),
    encoding: 'string',
    overlappingSync: false,
    strictAsyncOrder: true,
  });
}

function storeOn(env: Env): SessionStore {
  const header = (id: string) => ['header', id];
  const entries = (id: string, after: number) => ({
    start: ['entry', id, after + 1],
    end: ['entry', id, Infinity],
  });
  const lastSeq = (id: string): number => {
    const [last] = env.getKeys({
      start: ['entry', id, Infinity],
      end: ['entry', id, 0],
      reverse: true,
      limit: 1,
    });
    return Array.isArray(last) ? Number(last[2]) : 0;
  };
  const place = (row: { updatedAt: number; id: string }): Key[] => ['updated', row.updatedAt, row.id];
  // Inside a transaction nothing is pending: its own promise speaks for all its writes.
  const put = (key: Key, value: string): void => void env.put(key, value);
  const remove = (key: Key): void => void env.remove(key);
  /** Throws become rejections of this write alone; nothing is written before the checks are through. */
  const write = async (work: () => Error | undefined): Promise<void> => {
    const refusal = await env.transaction(work);
    if (refusal) throw refusal;
  };

  return {
    async create(row) {
      const text = JSON.stringify(row);
      await write(() => {
        if (env.get(header(row.id)) !== undefined)
          return new StoreConflictError(`The session ${row.id} exists`);
        put(header(row.id), text);
        put(place(row), row.id);
        return undefined;
      });
    },
    async append(id, after, added, row) {
      const texts = added.map((entry) => [entry.seq, JSON.stringify(entry)] as const);
      const text = JSON.stringify(row);
      await write(() => {
        const old = env.get(header(id));
        if (old === undefined) return new NotFoundError(`There is no session ${id}`);
        if (lastSeq(id) !== after)
          return new StoreConflictError(`The session ${id} is at ${lastSeq(id)}, not ${after}`);
        for (const [seq, value] of texts) put(['entry', id, seq], value);
        remove(place(JSON.parse(old)));
        put(header(id), text);
        put(place(row), id);
        return undefined;
      });
    },
    async load(id) {
      const text = env.get(header(id));
      if (text === undefined) return undefined;
      return {
        header: JSON.parse(text),
        entries: Array.from(env.getRange(entries(id, 0)), ({ value }) => JSON.parse(value)),
      };
    },
    async read(id, { after, limit }) {
      return Array.from(env.getRange({ ...entries(id, after), limit }), ({ value }) => JSON.parse(value));
    },
    async list({ status, limit, cursor }) {
      const start: Key = cursor === undefined ? ['updated', Infinity] : JSON.parse(cursor);
      const rows = [];
      for (const { key, value: id } of env.getRange({
        start,
        end: ['updated'],
        reverse: true,
        exclusiveStart: true,
      })) {
        const row = JSON.parse(env.get(header(id)) ?? '{}');
        if (status !== undefined && row.status !== status) continue;
        if (rows.length === limit)
          return { items: rows.map((found) => found.row), cursor: JSON.stringify(rows.at(-1)?.key) };
        rows.push({ key, row });
      }
      return { items: rows.map((found) => found.row) };
    },
    async delete(id) {
      await write(() => {
        const old = env.get(header(id));
        if (old !== undefined) remove(place(JSON.parse(old)));
        remove(header(id));
        for (const key of Array.from(env.getKeys(entries(id, 0)))) remove(key);
        return undefined;
      });
    },
  };
}
