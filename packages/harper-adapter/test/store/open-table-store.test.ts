import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntryDraft, Entry, SessionHeader } from '@harperfast/agent-core/contracts';
import { describeSessionStore } from '@harperfast/agent-testkit/conformance';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HarperHost } from '../../src/host.js';
import { openTableStore } from '../../src/store/open-table-store.js';
import { openTables } from '@harperfast/agent-testkit/host';
import { hostTables } from '../support/host-tables.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const plain = { redact: (text: string) => text, redactOutput: (text: string) => text };
const openStore = (host: Pick<HarperHost, 'ensureTable' | 'transaction'>) => openTableStore(host, plain);

describeSessionStore('table store', async () => {
  const folder = await temporaryFolder();
  let tables = openTables({ path: folder.path });
  return {
    store: await openStore(hostTables(tables)),
    async reopen() {
      await tables.close();
      tables = openTables({ path: folder.path });
      return openStore(hostTables(tables));
    },
    async close() {
      await tables.close();
      await folder.remove();
    },
  };
});

function header(id: string, seq = 0, changes: Partial<SessionHeader> = {}): SessionHeader {
  return {
    id,
    schemaVersion: 1,
    user: 'admin',
    status: 'idle',
    seq,
    createdAt: 1,
    updatedAt: 1,
    title: 'a secret title',
    totals: { rounds: 0, toolCalls: 0, promptTokens: 0, completionTokens: 0, costMicros: 0 },
    pendingApprovals: [],
    grants: [],
    delimiter: 'd1',
    ...changes,
  };
}

function entry(seq: number, text = `alert ${seq}`): Entry {
  const draft: EntryDraft = { kind: 'alert', level: 'info', text };
  return { ...draft, seq, at: seq };
}

describe('openTableStore', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let tables: ReturnType<typeof openTables>;

  beforeEach(async () => {
    folder = await temporaryFolder();
    tables = openTables({ path: folder.path });
  });

  afterEach(async () => {
    await tables.close();
    await folder.remove();
  });

  it('keeps its tables on this node and out of the audit log', async () => {
    const definitions: object[] = [];
    const host = hostTables(tables);
    await openStore({
      ...host,
      ensureTable(definition) {
        definitions.push(definition);
        return host.ensureTable(definition);
      },
    });
    expect(definitions).toHaveLength(2);
    for (const definition of definitions) {
      expect(definition).toMatchObject({ database: 'system', replicate: false, audit: false });
    }
  });

  it('commits what is appended in one tick at once, and what comes meanwhile in the next', async () => {
    let commits = 0;
    const host = hostTables(tables);
    const store = await openStore({
      ...host,
      transaction(work) {
        commits++;
        return host.transaction(work);
      },
    });
    const ids = Array.from({ length: 100 }, (_, index) => `s${index}`);
    await Promise.all(ids.map((id) => store.create(header(id))));
    expect(commits).toBe(1);
    await Promise.all(ids.map((id) => store.append(id, 0, [entry(1)], header(id, 1))));
    expect(commits).toBe(2);
  });

  it('rejects one that conflicts alone, also against one of the same tick', async () => {
    const store = await openStore(hostTables(tables));
    await Promise.all([store.create(header('a')), store.create(header('b'))]);
    const settled = await Promise.allSettled([
      store.append('a', 0, [entry(1, 'first')], header('a', 1)),
      store.append('a', 0, [entry(1, 'second')], header('a', 1)),
      store.append('a', 1, [entry(2, 'third')], header('a', 2)),
      store.append('b', 3, [entry(4)], header('b', 4)),
      store.append('b', 0, [entry(1)], header('b', 1)),
      store.append('nobody', 0, [entry(1)], header('nobody', 1)),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect(settled[1]).toMatchObject({ reason: { code: 'store_conflict' } });
    expect((await store.load('a'))?.entries).toMatchObject([{ text: 'first' }, { text: 'third' }]);
    expect((await store.load('b'))?.entries).toHaveLength(1);
  });

  it('rejects everything a failed commit held, writes none of it, and goes on', async () => {
    const host = hostTables(tables);
    let broken = true;
    const store = await openStore({
      ...host,
      transaction: (work) =>
        host.transaction(async (context) => {
          const result = await work(context);
          if (broken) throw new Error('the disk is full');
          return result;
        }),
    });
    const settled = await Promise.allSettled([store.create(header('a')), store.create(header('b'))]);
    expect(settled).toMatchObject([{ reason: { message: 'the disk is full' } }, { status: 'rejected' }]);
    expect((await store.list({ limit: 10 })).items).toEqual([]);
    broken = false;
    await store.create(header('a'));
    expect(await store.load('a')).toBeDefined();
  });

  it('fails each append on its own for as long as the disk does, and no commit on its own account', async () => {
    const host = hostTables(tables);
    let broken = false;
    let attempts = 0;
    const store = await openStore({
      ...host,
      transaction(work) {
        if (!broken) return host.transaction(work);
        attempts++;
        // Some hosts throw where others reject.
        if (attempts % 2 === 0) throw new Error('the disk is full');
        return Promise.reject(new Error('the disk is full'));
      },
    });
    await store.create(header('a'));
    broken = true;
    for (let attempt = 1; attempt <= 5; attempt++) {
      await expect(store.append('a', 0, [entry(1)], header('a', 1))).rejects.toThrow('the disk is full');
      expect(attempts).toBe(attempt);
    }
    expect((await store.load('a'))?.entries).toEqual([]);
    broken = false;
    await store.append('a', 0, [entry(1)], header('a', 1));
    expect((await store.load('a'))?.entries).toHaveLength(1);
    expect(attempts).toBe(5);
  });

  it('commits in its own async context, not in that of a request', async () => {
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    const host = hostTables(tables);
    const store = await openStore({
      ...host,
      transaction(work) {
        contexts.push(request.getStore());
        return host.transaction(work);
      },
    });
    await request.run('request of alice', () => store.create(header('a')));
    expect(contexts).toEqual([undefined]);
  });

  it('reads records whose fields are inherited getters', async () => {
    const host = hostTables(tables);
    const tracked = (record: unknown) => (record === undefined ? undefined : Object.create(Object(record)));
    const store = await openStore({
      ...host,
      ensureTable(definition) {
        const table = host.ensureTable(definition);
        return {
          get: async (key) => tracked(await table.get(key)),
          put: (...write) => table.put(...write),
          delete: (...removal) => table.delete(...removal),
          async *search(query) {
            for await (const record of await table.search(query)) yield tracked(record);
          },
        };
      },
    });
    await store.create(header('a'));
    await store.append('a', 0, [entry(1)], header('a', 1));
    expect(await store.load('a')).toEqual({ header: header('a', 1), entries: [entry(1)] });
    expect((await store.list({ limit: 10 })).items).toEqual([header('a', 1)]);
  });

  it('neither shows nor overwrites rows of another form', async () => {
    const store = await openStore(hostTables(tables));
    const sessions = tables.table('system', 'hdb_agent_session');
    const old = {
      session_id: 'old',
      user: 'admin',
      status: 'running',
      messages: [{ role: 'user', content: 'hi' }],
      createdAt: 1,
      updatedAt: 5,
    };
    await sessions.put('old', old);
    expect((await store.list({ limit: 10 })).items).toEqual([]);
    expect(await store.load('old')).toBeUndefined();
    await expect(store.create(header('old'))).rejects.toMatchObject({ code: 'store_conflict' });
    await expect(store.append('old', 0, [entry(1)], header('old', 1))).rejects.toMatchObject({
      statusCode: 409,
    });
    await expect(store.delete('old')).rejects.toMatchObject({ statusCode: 409 });
    expect(await sessions.get('old')).toMatchObject(old);
  });

  it('leaves the event loop its turns while it reads a long session', async () => {
    const store = await openStore(hostTables(tables));
    await store.create(header('a'));
    const entries = Array.from({ length: 1000 }, (_, index) => entry(index + 1));
    await store.append('a', 0, entries, header('a', 1000));
    let turns = 0;
    let reading = true;
    const turn = () => {
      turns++;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    expect((await store.load('a'))?.entries).toEqual(entries);
    reading = false;
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  describe('the row of a running session', () => {
    const running = (seq: number, updatedAt: number) => header('a', seq, { status: 'running', updatedAt });
    const rowSeq = async () =>
      Number(Object(await tables.table('system', 'hdb_agent_session').get('a'))['seq']);

    /** A session whose row says seq 1, with three entries. */
    async function openLagging() {
      const store = await openStore(hostTables(tables));
      await store.create(header('a'));
      await store.append('a', 0, [entry(1)], running(1, 1_000));
      await store.append('a', 1, [entry(2)], running(2, 1_100));
      await store.append('a', 2, [entry(3)], running(3, 1_900));
      expect(await rowSeq()).toBe(1);
      return store;
    }

    it('is written when the status changes, and once a second', async () => {
      const store = await openLagging();
      await store.append('a', 3, [entry(4)], running(4, 2_000));
      expect(await rowSeq()).toBe(4);
      await store.append('a', 4, [entry(5)], running(5, 2_100));
      expect(await rowSeq()).toBe(4);
      await store.append('a', 5, [entry(6)], header('a', 6, { status: 'completed', updatedAt: 2_200 }));
      expect(await rowSeq()).toBe(6);
    });

    it('is as new as its entries in every list', async () => {
      const store = await openLagging();
      expect((await store.list({ limit: 10 })).items).toEqual([running(3, 1_900)]);
      expect(await rowSeq()).toBe(3);
      // It may lag behind once more.
      await store.append('a', 3, [entry(4)], running(4, 2_000));
      expect(await rowSeq()).toBe(3);
    });

    it('costs nothing when the process dies: the entries tell where the session is', async () => {
      await openLagging();
      const next = await openStore(hostTables(tables));
      const entries = [entry(1), entry(2), entry(3)];
      expect(await next.load('a')).toMatchObject({ header: { seq: 3 }, entries });
      expect(await next.read('a', { after: 1, limit: 10 })).toEqual(entries.slice(1));
      await expect(next.append('a', 1, [entry(2)], running(2, 1_200))).rejects.toMatchObject({
        code: 'store_conflict',
      });
      await next.append('a', 3, [entry(4)], running(4, 1_950));
      expect(await rowSeq()).toBe(4);
    });

    it('does not keep entries from being deleted', async () => {
      await openLagging();
      const next = await openStore(hostTables(tables));
      await next.delete('a');
      const left: unknown[] = [];
      for await (const record of tables.table('system', 'hdb_agent_item').search({})) left.push(record);
      expect(left).toEqual([]);
    });

    it('takes no entries along that were not written with it', async () => {
      const store = await openLagging();
      await store.delete('a');
      // As left by a row that was set back by hand: one journal's end behind another's.
      await tables
        .table('system', 'hdb_agent_item')
        .put(['a', 5], { id: ['a', 5], kind: 'alert', at: 5, entry: JSON.stringify(entry(5)) });
      await store.create(header('a'));
      await store.append('a', 0, [entry(1)], running(1, 1_000));
      await store.append('a', 1, [entry(2)], running(2, 1_100));
      const next = await openStore(hostTables(tables));
      expect(await next.load('a')).toMatchObject({ header: { seq: 2 }, entries: [entry(1), entry(2)] });
    });

    it.each([0, 1, 7])('that says %i takes every entry along when the session is deleted', async (seq) => {
      await openLagging();
      const rows = tables.table('system', 'hdb_agent_session');
      const { session_id, user, createdAt, updatedAt, header: text } = Object(await rows.get('a'));
      await rows.put('a', { session_id, user, createdAt, updatedAt, header: text, status: 'idle', seq });
      const items = tables.table('system', 'hdb_agent_item');
      await items.put(['a', 3], { id: ['a', 3], kind: 'alert', at: 3, entry: 'damaged' });
      const next = await openStore(hostTables(tables));
      await next.create(header('b'));
      await next.append('b', 0, [entry(1)], header('b', 1));
      await next.delete('a');
      const left: unknown[] = [];
      for await (const record of items.search({})) left.push(Object(record)['id']);
      expect(left).toEqual([['b', 1]]);
    });

    it('is read again after a commit that failed', async () => {
      const host = hostTables(tables);
      let refuse = false;
      const store = await openStore({
        ...host,
        transaction: (work) => (refuse ? Promise.reject(new Error('disk full')) : host.transaction(work)),
      });
      await store.create(header('a'));
      await store.append('a', 0, [entry(1)], running(1, 1_000));
      await store.append('a', 1, [entry(2)], running(2, 1_100));
      refuse = true;
      await expect(store.append('a', 2, [entry(3)], running(3, 1_200))).rejects.toThrow('disk full');
      refuse = false;
      await store.append('a', 2, [entry(3)], running(3, 1_300));
      expect((await store.load('a'))?.entries).toEqual([entry(1), entry(2), entry(3)]);
    });
  });

  it('refuses a cursor that is none', async () => {
    const store = await openStore(hostTables(tables));
    await expect(store.list({ limit: 1, cursor: 'page 2' })).rejects.toMatchObject({ statusCode: 400 });
  });

  it('finishes at the next start what a process that died was deleting, and hides it until then', async () => {
    const host = hostTables(tables);
    let commits = 0;
    let dies = false;
    const store = await openStore({
      ...host,
      transaction(work) {
        if (dies && ++commits > 2) return Promise.reject(new Error('killed'));
        return host.transaction(work);
      },
    });
    await store.create(header('a'));
    const entries = Array.from({ length: 900 }, (_, index) => entry(index + 1));
    await store.append('a', 0, entries, header('a', 900));
    dies = true;
    await expect(store.delete('a')).rejects.toThrow('killed');
    expect(await store.load('a')).toBeUndefined();
    expect(await store.read('a', { after: 0, limit: 10 })).toEqual([]);
    expect((await store.list({ limit: 10 })).items).toEqual([]);
    const row = JSON.stringify(await tables.table('system', 'hdb_agent_session').get('a'));
    expect(row).toContain('deleting');
    expect(row).not.toContain('a secret title');

    const next = await openStore(host);
    const left: unknown[] = [];
    for (const name of ['hdb_agent_session', 'hdb_agent_item']) {
      for await (const record of tables.table('system', name).search({})) left.push(record);
    }
    expect(left).toEqual([]);
    await next.create(header('a'));
  });
});
