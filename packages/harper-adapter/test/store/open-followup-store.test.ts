import { AsyncLocalStorage } from 'node:async_hooks';
import type { Followup } from '@harperfast/agent-core/contracts';
import { describeFollowupStore } from '@harperfast/agent-testkit/conformance';
import { openTables } from '@harperfast/agent-testkit/host';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HarperHost } from '../../src/host.js';
import { openFollowupStore } from '../../src/store/open-followup-store.js';
import { hostTables } from '../support/host-tables.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Host = Pick<HarperHost, 'ensureTable' | 'transaction' | 'logger'>;

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function hostOf(tables: ReturnType<typeof openTables>): Host {
  return {
    ...hostTables(tables),
    logger: silent,
  };
}

const plain = { redact: (text: string) => text, redactOutput: (text: string) => text };

describeFollowupStore('openFollowupStore', async () => {
  const folder = await temporaryFolder();
  let tables = openTables({ path: folder.path });
  return {
    store: openFollowupStore(hostOf(tables), plain),
    async reopen() {
      await tables.close();
      tables = openTables({ path: folder.path });
      return openFollowupStore(hostOf(tables), plain);
    },
    async close() {
      await tables.close();
      await folder.remove();
    },
  };
});

async function openHost() {
  const folder = await temporaryFolder();
  const tables = openTables({ path: folder.path });
  onTestFinished(async () => {
    await tables.close();
    await folder.remove();
  });
  return { tables, host: hostOf(tables) };
}

const followup: Followup = {
  id: 'fu_1',
  revision: 1,
  sessionId: 's1',
  prompt: 'check',
  createdAt: 1,
  state: 'pending',
  dueAt: 2,
  slot: 1,
  wakeAt: 2,
  missed: 0,
  attempts: 0,
  delivered: 0,
  givenUp: 0,
};

describe('openFollowupStore', () => {
  it('keeps its table on this node and out of the audit log', async () => {
    const { host } = await openHost();
    const definitions: object[] = [];
    openFollowupStore(
      {
        ...host,
        ensureTable(definition) {
          definitions.push(definition);
          return host.ensureTable(definition);
        },
      },
      plain,
    );
    expect(definitions).toMatchObject([
      { database: 'system', table: 'hdb_agent_followup', replicate: false, audit: false },
    ]);
  });

  it('redacts texts before they are stored', async () => {
    const { host, tables } = await openHost();
    const hide = (text: string) => text.replaceAll('s3cret', '***');
    const store = openFollowupStore(host, { redact: hide, redactOutput: hide });
    await store.write({ ...followup, prompt: 'log in with s3cret', lastError: 'no s3cret' }, 0);
    const record = JSON.stringify(await tables.table('system', 'hdb_agent_followup').get('fu_1'));
    expect(record).not.toContain('s3cret');
    expect(await store.list()).toMatchObject([{ prompt: 'log in with ***', lastError: 'no ***' }]);
  });

  it('goes on after a write that failed', async () => {
    const { host } = await openHost();
    let broken = true;
    const store = openFollowupStore(
      {
        ...host,
        transaction(work) {
          if (broken) return Promise.reject(new Error('the disk is full'));
          return host.transaction(work);
        },
      },
      plain,
    );
    await expect(store.write(followup, 0)).rejects.toThrow('the disk is full');
    broken = false;
    expect(await store.write(followup, 0)).toBe(true);
  });

  it('logs a damaged row, and neither shows nor replaces it', async () => {
    const { host, tables } = await openHost();
    const log: string[] = [];
    const store = openFollowupStore(
      { ...host, logger: { ...silent, error: (line) => void log.push(line) } },
      plain,
    );
    const table = tables.table('system', 'hdb_agent_followup');
    await table.put('fu_1', { id: 'fu_1', followup: '{"id":' });
    await store.write({ ...followup, id: 'fu_2' }, 0);
    expect(await store.list()).toMatchObject([{ id: 'fu_2' }]);
    expect(log).toEqual([expect.stringContaining('fu_1')]);
    expect(await store.write(followup, 0)).toBe(false);
    expect(await table.get('fu_1')).toMatchObject({ followup: '{"id":' });
  });

  it.each([
    { wakeAt: null },
    { dueAt: 1e300 },
    { slot: 'x' },
    { every: 0, until: 9 },
    { every: 5, until: 'x' },
    { prompt: undefined },
  ])('takes a row with %j for damaged: it would come at once, again and again', async (changes) => {
    const { host, tables } = await openHost();
    const store = openFollowupStore(host, plain);
    const { id, sessionId: session_id, state, dueAt } = followup;
    const text = JSON.stringify({ ...followup, ...changes });
    await tables
      .table('system', 'hdb_agent_followup')
      .put(id, { id, session_id, state, dueAt, followup: text });
    expect(await store.list()).toEqual([]);
    expect(await store.write({ ...followup, revision: 2 }, 1)).toBe(false);
    await store.delete(id);
    expect(await store.write(followup, 0)).toBe(true);
  });

  it('commits together what came while a commit was open', async () => {
    const { host } = await openHost();
    let commits = 0;
    const store = openFollowupStore(
      {
        ...host,
        transaction(work) {
          commits++;
          return host.transaction(work);
        },
      },
      plain,
    );
    const ids = Array.from({ length: 100 }, (_, index) => `f${index}`);
    await Promise.all(ids.map((id) => store.write({ ...followup, id }, 0)));
    expect(commits).toBeLessThanOrEqual(2);
    expect(await store.list()).toHaveLength(100);
  });

  it('reads records whose fields are inherited getters, and writes in its own context', async () => {
    const { host } = await openHost();
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    const tracked = (record: unknown) => (record === undefined ? undefined : Object.create(Object(record)));
    const store = openFollowupStore(
      {
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
        logger: silent,
        transaction(work) {
          contexts.push(request.getStore());
          return host.transaction(work);
        },
      },
      plain,
    );
    await request.run('of alice', () => store.write(followup, 0));
    expect(await store.write({ ...followup, revision: 2 }, 1)).toBe(true);
    expect(await store.list()).toEqual([{ ...followup, revision: 2 }]);
    expect(contexts).toEqual([undefined, undefined]);
  });
});
