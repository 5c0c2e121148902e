import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HarperDbServer } from '../../src/component/harperdb.js';
import { completedServer } from '../../src/component/main/completed-server.js';
import { createModels } from '../../src/component/main/models.js';
import { createOperationRegistry } from '../../src/component/main/operation-registry.js';
import { registerModels } from '../../src/component/main/register-models.js';
import { startBuiltins } from '../../src/component/main/start-builtins.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

async function moduleFile(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'module-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'module.mjs');
  await writeFile(file, source);
  return file;
}

const superUser = { username: 'admin', role: { permission: { super_user: true } } };

/**
 * A double of HarperDB's own `server`: its jobs are complete when they are asked for the second time, and what it
 * notes in a body is refused as a key of a role.
 */
function harperDb() {
  const seen: object[] = [];
  let asked = 0;
  const server: HarperDbServer & { readonly hostname: string } = {
    config: { rootPath: '/somewhere' },
    hostname: 'node-1',
    http: () => undefined,
    getUser: async (username) => ({ username }),
    async operation(body, _context, authorize) {
      seen.push({ ...body });
      Object.assign(body, { hdb_user: 'written by HarperDB', bypass_auth: !authorize });
      const name: unknown = Reflect.get(body, 'operation');
      if (name === 'add_role' || name === 'alter_role') {
        if (Object.keys(body).includes('bypass_auth')) throw new Error("Invalid key: 'bypass_auth'");
        return { checked: Reflect.get(body, 'bypass_auth') === false };
      }
      if (name === 'restart_service') return { message: 'Restarting http_workers', job_id: 'j1' };
      if (name === 'get_job') return [{ id: 'j1', status: ++asked < 2 ? 'IN_PROGRESS' : 'COMPLETE' }];
      return { ran: name };
    },
  };
  const operations = createOperationRegistry(() => undefined);
  const completed = completedServer(server, operations);
  const operation = (body: object, authorize = true): Promise<unknown> =>
    Promise.resolve(
      Reflect.apply(Reflect.get(completed, 'operation'), completed, [body, { user: superUser }, authorize]),
    );
  return { completed, operation, seen };
}

describe('the completed server', () => {
  it('has what HarperDB has, and registerOperation', () => {
    const { completed } = harperDb();
    expect(completed).toMatchObject({ hostname: 'node-1', config: { rootPath: '/somewhere' } });
    expect(Reflect.get(completed, 'registerOperation')).toBeTypeOf('function');
  });

  it("runs HarperDB's operations on a copy of the body", async () => {
    const { operation } = harperDb();
    const body = { operation: 'describe_all' };
    expect(await operation(body)).toEqual({ ran: 'describe_all' });
    expect(body).toEqual({ operation: 'describe_all' });
  });

  it.each(['add_role', 'alter_role'])(
    'runs %s, which HarperDB refuses itself, and lets it check',
    async (name) => {
      const { operation, seen } = harperDb();
      const body = { operation: name, permission: { super_user: false } };
      expect(await operation(body, true)).toEqual({ checked: true });
      expect(await operation(body, false)).toEqual({ checked: false });
      expect(seen).toEqual([body, body]);
    },
  );

  it.each([
    'INSERT INTO dog (id) VALUES (1)',
    ' insert dog (id) values (1)',
    'INSERT INTO `dog` (id) VALUES (1)',
    'INSERT INTO [dog] (id) VALUES (1)',
    'INSERT /* data.dog */ INTO dog (id) VALUES (1)',
    "INSERT INTO dog (name) VALUES ('data.dog')",
    '(INSERT INTO dog (id) VALUES (1))',
    'with data.dog insert into dog',
  ])('refuses SQL that may insert where rights are not looked at: %s', async (sql) => {
    const { operation, seen } = harperDb();
    await expect(operation({ operation: 'sql', sql })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('Name the database'),
    });
    expect(seen).toEqual([]);
    expect(await operation({ operation: 'sql', sql }, false)).toEqual({ ran: 'sql' });
  });

  it.each([
    'INSERT INTO data.dog (id) VALUES (1)',
    'insert into `data` . [dog] values (1)',
    'SELECT * FROM data.dog',
    "UPDATE data.dog SET name = 'insert into dog'",
    'DELETE FROM data.dog WHERE id = 1',
  ])('runs other SQL: %s', async (sql) => {
    expect(await harperDb().operation({ operation: 'sql', sql })).toEqual({ ran: 'sql' });
  });

  it('runs what was registered instead, with the same check of who calls', async () => {
    const { completed, operation, seen } = harperDb();
    const execute = (body: object): unknown => Reflect.get(body, 'hdb_user');
    const definition = { name: 'mine', requiresSuperUser: true, execute };
    Reflect.apply(Reflect.get(completed, 'registerOperation'), completed, [definition]);
    expect(await operation({ operation: 'mine', hdb_user: 'me' })).toBe(superUser);
    expect(seen).toEqual([]);
    const run: unknown = Reflect.get(completed, 'operation');
    if (typeof run !== 'function') throw new Error('no operation');
    const plain = { role: { permission: {} } };
    await expect(
      Reflect.apply(run, completed, [{ operation: 'mine' }, { user: plain }, true]),
    ).rejects.toMatchObject({
      statusCode: 403,
    });
    await expect(Reflect.apply(run, completed, [{ operation: 'mine' }, {}, true])).rejects.toMatchObject({
      statusCode: 401,
    });
  });

  it('answers restart_service when the workers are replaced', async () => {
    const { operation, seen } = harperDb();
    expect(await operation({ operation: 'restart_service', service: 'http_workers' })).toEqual({
      message: 'Restarting http_workers',
    });
    expect(seen.map((body) => Reflect.get(body, 'operation'))).toEqual([
      'restart_service',
      'get_job',
      'get_job',
    ]);
  });
});

describe('models', () => {
  const backend = {
    async generate(input: unknown, options: unknown) {
      return {
        status: 'completed',
        output: { content: JSON.stringify([input, options]) },
        usage: { promptTokens: 2 },
      };
    },
  };

  it('answer with the output of the backend and its usage', async () => {
    const models = createModels();
    models.registerBackend('generative', 'default', backend);
    expect(await models.generate('hello', { maxTokens: 5, toolMode: 'return' })).toEqual({
      content: '["hello",{"maxTokens":5}]',
      usage: { promptTokens: 2 },
    });
  });

  it('make a backend of a description', async () => {
    const models = createModels();
    models.registerBackend('generative', 'default', models.defineBackend({ name: 'mine', ...backend }));
    expect(await models.generate('hello')).toMatchObject({ content: '["hello",{}]' });
    expect(() => models.defineBackend({ name: 'streams', stream: () => undefined })).toThrow('generate');
  });

  it('name those there are, and offer no loop of their own', async () => {
    const models = createModels();
    models.registerBackend('generative', 'small', backend);
    await expect(models.generate('hello')).rejects.toThrow("no model 'default' (there are: small)");
    await expect(models.generate('hello', { model: 'small', toolMode: 'auto' })).rejects.toThrow("'auto'");
    expect(() => models.registerBackend('embedding', 'e', backend)).toThrow('only generative');
  });

  it('are registered by the modules of the configuration; what cannot be used is told of and left out', async () => {
    const models = createModels();
    vi.stubGlobal('models', models);
    const file = await moduleFile(
      `export const register = ({ logicalName, kind, config }) => globalThis.models.registerBackend(kind, logicalName, {
        generate: async () => ({ status: 'completed', output: { content: config.size } }),
      });`,
    );
    const complaints: string[] = [];
    const generative = {
      default: { backend: file, size: 'small' },
      lost: { backend: '/no/such.mjs' },
      empty: {},
    };
    await registerModels({ generative }, (message) => complaints.push(message));
    expect(await models.generate('hello')).toEqual({ content: 'small' });
    expect(complaints).toEqual([
      expect.stringContaining('models.generative.lost'),
      expect.stringContaining('models.generative.empty'),
    ]);
  });
});

describe('built-in components', () => {
  it('start in the order of the configuration, with their block over what is given; one that fails stops no other', async () => {
    const started: unknown[] = [];
    vi.stubGlobal('started', started);
    const file = await moduleFile(
      `export const startOnMainThread = (options) => {
        if (options.fail) throw new Error('will not');
        globalThis.started.push(options);
      };`,
    );
    const complaints: string[] = [];
    await startBuiltins({
      list: `a=${file}, b=${file},c=${file},off=${file}`,
      config: { off: false, c: { key: 1, port: 2 }, b: { fail: true }, a: true, other: {} },
      given: { port: 1 },
      complain: (message) => complaints.push(message),
    });
    expect(started).toEqual([{ port: 2, key: 1 }, { port: 1 }]);
    expect(complaints).toEqual(['Component b failed to start: will not']);
  });

  it('are refused when the list cannot be read', async () => {
    const starting = startBuiltins({ list: 'agent', config: {}, given: {}, complain: () => undefined });
    await expect(starting).rejects.toThrow("'agent' is not name=identifier");
  });
});
