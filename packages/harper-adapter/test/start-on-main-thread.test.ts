import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScriptedModel, harperBackend } from '@harperfast/agent-testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startOnMainThread } from '../src/start-on-main-thread.js';
import type { FakeServer } from './support/fake-server.js';
import { createFakeServer, user } from './support/fake-server.js';
import { Models, openTables } from '@harperfast/agent-testkit/host';
import { temporaryFolder } from './support/temporary-folder.js';

describe('startOnMainThread', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let tables: ReturnType<typeof openTables>;
  let server: FakeServer & { config?: unknown };
  let log: string[];
  let opened: string[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, 'components'));
    tables = openTables({ path: join(folder.path, 'db') });
    log = [];
    opened = [];
    server = Object.assign(createFakeServer(user('admin')), { config: { rootPath: folder.path } });
    const models = new Models();
    models.registerBackend('generative', 'default', Object(harperBackend(new ScriptedModel([]))));
    const line = (level: string) => (message: string) => void log.push(`${level}: ${message}`);
    vi.stubGlobal('models', models);
    vi.stubGlobal('transaction', tables.transaction);
    vi.stubGlobal('logger', {
      debug: line('debug'),
      info: line('info'),
      warn: line('warn'),
      error: line('error'),
      notify: line('notify'),
    });
  });

  afterEach(async () => {
    // A disabled start ends the agent of the one before, which the module keeps.
    await start({ enabled: false });
    vi.unstubAllGlobals();
    await tables.close();
    await folder.remove();
  });

  const start = (block: object, changes: object = {}) =>
    startOnMainThread({
      server,
      ensureTable(definition: { readonly table: string }) {
        opened.push(definition.table);
        return tables.ensureTable(definition);
      },
      port: 9926,
      securePort: undefined,
      resources: new Map(),
      ...changes,
      ...block,
    });

  it('says that it is ready, with the model, the user, the packs and the caps', async () => {
    await start({ enabled: true, maxCostUsd: '0.5' });
    expect(log.filter((line) => line.startsWith('error'))).toEqual([]);
    const [line] = log.filter((item) => item.includes('Agent component initialized'));
    expect(line).toMatch(/^notify: /);
    for (const text of [
      'model default',
      'user hdb_agent (super_user)',
      'file-writes',
      'http',
      '50 turns',
      '0.5 USD',
    ]) {
      expect(line).toContain(text);
    }
    expect(server.registered.size).toBe(10);
  });

  it('runs one agent when it is called again before the first call is done: the one of the later call', async () => {
    await Promise.all([
      start({ enabled: true, maxCostUsd: 1 }),
      start({ enabled: true, maxCostUsd: 2 }),
      start({ enabled: true, maxCostUsd: 3 }),
    ]);
    expect(log.filter((line) => line.startsWith('error'))).toEqual([]);
    expect(JSON.stringify(await server.call('set_agent_config', {}, 'admin'))).toContain('"maxCostUsd":3');
    // Whichever agents there were before it were closed: the later call ends this one, and then none answers.
    await start({ enabled: false });
    await expect(server.call('agent_prompt', { message: 'hi' }, 'admin')).rejects.toMatchObject({
      statusCode: 503,
    });
  });

  it.each([{}, { enabled: false }, { enabled: 'false' }])('does nothing at all with %j', async (block) => {
    await start(block);
    expect([...server.registered]).toEqual([]);
    expect(opened).toEqual([]);
    expect(server.calls).toEqual([]);
    expect(log).toEqual([]);
    expect(await readdir(join(folder.path, 'components'))).toEqual([]);
    expect(await readdir(folder.path)).not.toContain('agent');
  });

  it('keeps its key from one start to the next, and stays off with one that makes no sense', async () => {
    const file = join(folder.path, 'agent', 'fingerprint-key');
    await start({ enabled: true });
    const key = await readFile(file, 'utf8');
    await start({ enabled: true });
    expect(await readFile(file, 'utf8')).toBe(key);
    expect(log.join()).not.toContain(key.trim());

    await writeFile(file, key.slice(0, 10));
    server.registered.clear();
    await start({ enabled: true });
    expect(log.at(-1)).toMatch(/^error: The agent is disabled: .*fingerprint-key' cannot be used/);
    expect([...server.registered]).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe(key.slice(0, 10));
  });

  it.each(['.', 'agent', 'agent/notes', './components/..'])(
    "stays off when the folder of the components (%s) would hold the agent's own files",
    async (componentsScope) => {
      await start({ enabled: true, componentsScope });
      expect(log.at(-1)).toMatch(/^error: The agent is disabled: .*the agent's own files/);
      expect([...server.registered]).toEqual([]);
    },
  );

  it.each([
    [{ enabled: true, maxCostUSD: 1 }, "unknown key 'maxCostUSD'"],
    [{ enabled: true, maxTurns: 'many', autoApprove: 'yes' }, 'agent.maxTurns'],
    [{ enabled: true, user: 'robot' }, "'robot'"],
    [{ enabled: true, componentsScope: '../elsewhere' }, 'componentsScope'],
    [{ enabled: true, approvals: { 'drop_*': 'allow' } }, 'approvals'],
  ])('stays off with %j, saying why, and registers nothing', async (block, reason) => {
    await start(block);
    expect([...server.registered]).toEqual([]);
    const errors = log.filter((line) => line.startsWith('error: The agent is disabled'));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(reason);
    expect(log.join()).not.toContain('initialized');
  });

  it('names what a host lacks', async () => {
    vi.stubGlobal('models', undefined);
    await start({ enabled: true });
    expect(log.join()).toContain('models');
    server.config = undefined;
    vi.stubGlobal('models', new Models());
    await start({ enabled: true });
    expect(log.at(-1)).toContain('rootPath');
    await start({ enabled: true }, { ensureTable: undefined });
    expect(log.at(-1)).toContain('ensureTable');
    expect([...server.registered]).toEqual([]);
  });

  it('creates nothing where its user cannot be resolved', async () => {
    await start({ enabled: true, user: 'robot' });
    expect(opened).toEqual([]);
    expect(server.calls).toEqual([]);
  });

  it('keeps what reaches past a role from a user who is no super_user, and says what is on', async () => {
    server.users.set('robot', user('robot', { super_user: false }));
    await start({ enabled: true, user: 'robot', tools: ['logs'] });
    const line = log.find((item) => item.includes('initialized'));
    expect(line).toContain('limited by its role');
    expect(line).toContain('tools operations files http logs schedule,');
  });

  it('says that every public host may be fetched from, and stays off for a host that is none', async () => {
    await start({ enabled: true, httpFetch: true });
    expect(log.find((item) => item.includes('initialized'))).toContain('every public host may be fetched');
    log.length = 0;
    await start({ enabled: true, httpFetch: { allow: ['http://example.com'] } });
    expect(log.join()).toMatch(/error: The agent is disabled: 'http:\/\/example.com' is no host/);
    await start({ enabled: true, httpFetch: { allow: ['example.com'] } });
    expect(log.join()).not.toContain('every public host');
  });

  it('ends the agent of an earlier call before it starts another', async () => {
    await start({ enabled: true });
    const first = server.registered.get('agent_prompt');
    await start({ enabled: true });
    const prompt = { message: 'hello', hdb_user: server.users.get('admin') };
    await expect(first?.execute(prompt)).rejects.toMatchObject({ statusCode: 503 });
  });
});
