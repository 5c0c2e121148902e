import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScriptedModel, createFakeClock, harperBackend } from '@harperfast/agent-testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HarperAgentExtras } from '../src/create-harper-agent.js';
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
    server = Object.assign(createFakeServer(user('admin')), {
      config: { rootPath: folder.path, authentication: { authorizeLocal: false } },
    });
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

  const start = (block: object, changes: object = {}, extras: HarperAgentExtras = {}) =>
    startOnMainThread(
      {
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
      },
      extras,
    );

  /** Every operation is there, and a prompt is told why the agent is off. */
  async function expectDisabled(reason: string | RegExp): Promise<void> {
    expect(server.registered.size).toBe(10);
    const answer = server.call('agent_prompt', { message: 'hi' }, 'admin');
    await expect(answer).rejects.toMatchObject({ statusCode: 503, code: 'agent_disabled' });
    await expect(answer).rejects.toThrow(reason);
  }

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
    await start({ enabled: true });
    expect(log.at(-1)).toMatch(/^error: The agent is disabled: .*fingerprint-key' cannot be used/);
    await expectDisabled(/fingerprint-key/);
    expect(await readFile(file, 'utf8')).toBe(key.slice(0, 10));
  });

  it.each(['.', 'agent', 'agent/notes', './components/..'])(
    "stays off when the folder of the components (%s) would hold the agent's own files",
    async (componentsScope) => {
      await start({ enabled: true, componentsScope });
      expect(log.at(-1)).toMatch(/^error: The agent is disabled: .*the agent's own files/);
      await expectDisabled(/the agent's own files/);
    },
  );

  it.each([
    [{ enabled: true, maxCostUSD: 1 }, "unknown key 'maxCostUSD'"],
    [{ enabled: true, maxTurns: 'many', autoApprove: 'yes' }, 'agent.maxTurns'],
    [{ enabled: true, user: 'robot' }, "'robot'"],
    [{ enabled: true, componentsScope: '../elsewhere' }, 'componentsScope'],
    [{ enabled: true, approvals: { 'drop_*': 'allow' } }, 'approvals'],
    [{ enabled: true, model: 'gpt-9' }, 'default'],
  ])('stays off with %j, saying why in the log and in every answer', async (block, reason) => {
    server.config = { rootPath: folder.path, models: { generative: { default: { backend: 'openai' } } } };
    await start(block);
    await expectDisabled(reason);
    expect(opened).toEqual([]);
    const errors = log.filter((line) => line.startsWith('error: The agent is disabled'));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(reason);
    expect(log.join()).not.toContain('initialized');
  });

  it.each([{ enabled: 'yes' }, { enabled: null }])('takes %j for no, and says so', async (block) => {
    await start(block);
    expect([...server.registered]).toEqual([]);
    expect(log).toEqual([expect.stringMatching(/^error: .*agent\.enabled is .*must be true or false/)]);
  });

  it('starts by itself on the first call after its user is there, and does what was asked', async () => {
    const clock = createFakeClock();
    await start({ enabled: true, user: 'robot' }, {}, { clock });
    await expectDisabled(/no user 'robot'.*add_user/);
    server.users.set('robot', user('robot'));
    // Somebody asked a moment ago.
    await expectDisabled('robot');
    await clock.advance(1000);
    const both = await Promise.all([
      server.call('list_agent_sessions', {}, 'admin'),
      server.call('list_agent_sessions', {}, 'admin'),
    ]);
    expect(both).toEqual([
      { sessions: [], cursor: null },
      { sessions: [], cursor: null },
    ]);
    expect(log.filter((line) => line.includes('initialized'))).toHaveLength(1);
    expect(log.filter((line) => line.startsWith('error'))).toHaveLength(1);
  });

  it('starts by itself once its tables can be opened', async () => {
    const clock = createFakeClock();
    let full = true;
    const ensureTable = (definition: Parameters<typeof tables.ensureTable>[0]) => {
      if (full) throw new Error('no space left on the disk');
      return tables.ensureTable(definition);
    };
    await start({ enabled: true }, { ensureTable }, { clock });
    await expectDisabled('no space left on the disk');
    full = false;
    await clock.advance(1000);
    expect(await server.call('list_agent_sessions', {}, 'admin')).toMatchObject({ sessions: [] });
    expect(server.calls.filter(({ body }) => body['operation'] === 'add_user')).toHaveLength(1);
  });

  it('tells nobody but super_users why it is off, and the agent user nothing at all', async () => {
    await start({ enabled: true, user: 'robot', maxTurns: 0 });
    server.users.set('bob', user('bob', { super_user: false }));
    server.users.set('robot', user('robot'));
    await expect(server.call('agent_prompt', { message: 'hi' }, 'bob')).rejects.toMatchObject({
      statusCode: 403,
    });
    await expect(server.call('agent_prompt', { message: 'hi' }, 'robot')).rejects.toMatchObject({
      statusCode: 403,
      code: 'self_approval',
    });
  });

  it('takes no prompt and no approval while its user is gone, and goes on when it is back', async () => {
    server.users.set('robot', user('robot'));
    await start({ enabled: true, user: 'robot' });
    server.users.delete('robot');
    await expectDisabled(/no user 'robot'/);
    const approval = { session_id: 's', approval_id: 'a' };
    await expect(server.call('approve_agent_action', approval, 'admin')).rejects.toMatchObject({
      statusCode: 503,
    });
    const denial = { ...approval, approved: false };
    await expect(server.call('approve_agent_action', denial, 'admin')).rejects.toMatchObject({
      statusCode: 404,
    });
    expect(await server.call('list_agent_sessions', {}, 'admin')).toMatchObject({ sessions: [] });
    server.users.set('robot', user('robot', {}, false));
    await expectDisabled(/'robot' is inactive/);
    server.users.set('robot', user('robot'));
    await expect(server.call('agent_prompt', { message: '' }, 'admin')).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(
      server.call('agent_prompt', { message: 'hi', session_id: 'none' }, 'admin'),
    ).rejects.toMatchObject({ statusCode: 404 });
  });

  it('names what a host lacks', async () => {
    vi.stubGlobal('models', undefined);
    await start({ enabled: true });
    expect(log.join()).toContain('models');
    await expectDisabled('models');
    server.config = undefined;
    vi.stubGlobal('models', new Models());
    await start({ enabled: true });
    expect(log.at(-1)).toContain('rootPath');
    await start({ enabled: true }, { ensureTable: undefined });
    expect(log.at(-1)).toContain('ensureTable');
    await expectDisabled('ensureTable');
    server.registered.clear();
    await start({ enabled: true }, { server: { config: server.config } });
    expect(log.at(-1)).toContain('server');
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
    expect(log.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringContaining('every public host may be fetched'),
    ]);
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
