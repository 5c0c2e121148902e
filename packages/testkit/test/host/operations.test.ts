import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type EmbeddedHost } from '../../src/host/index.js';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const record = (value: unknown) => value as Record<string, unknown>;
let host: EmbeddedHost;
const run = (operation: string, parameters: object = {}, as?: { username: string; password: string }) =>
  host.operation({ operation, ...parameters }, as === undefined ? {} : { as });

beforeAll(async () => {
  host = await startHost({
    builtins: { failing: fixture('failing.mjs'), probe: '@/probe.mjs', unused: fixture('failing.mjs') },
    env: { PACKAGE_ROOT: fileURLToPath(new URL('fixtures', import.meta.url)), PROBE_MODEL: 'spoke' },
    config: {
      threads: { count: 1 },
      failing: true,
      probe: { colour: 'blue' },
      models: {
        generative: {
          default: { backend: './backend.mjs', says: '${PROBE_MODEL}' },
          broken: { backend: './none.mjs' },
        },
      },
    },
  });
  await writeFile(
    `${host.root}/backend.mjs`,
    `export default ({ logicalName, kind, config }) => globalThis.models.registerBackend(kind, logicalName, globalThis.models.defineBackend({
      name: 'file', generate: async () => ({ status: 'completed', output: { content: config.says, finishReason: 'stop' } }) }));`,
  );
}, 60_000);
afterAll(() => host.stop());

describe('the operations API', () => {
  it('answers 401 without credentials, with wrong ones, and before it reads the body', async () => {
    expect(await host.operation({ operation: 'describe_all' }, { as: 'nobody' })).toEqual({
      status: 401,
      body: { error: 'Must login' },
    });
    const wrong = { username: host.admin.username, password: 'wrong' };
    expect(await host.operation({ operation: 'describe_all' }, { as: wrong })).toEqual({
      status: 401,
      body: { error: 'Login failed' },
    });
    expect((await host.operation('x'.repeat(11_000_000), { as: 'nobody' })).status).toBe(401);
  });

  it.each([
    ['[]', 400],
    ['"text"', 400],
    ['null', 400],
    ['{', 400],
    ['{}', 400],
    ['{"operation":"no_such"}', 400],
    ['{"operation":{}}', 400],
    [`{"operation":"describe_all","pad":"${'x'.repeat(11_000_000)}"}`, 413],
  ])('answers %.40s with %i and an error text', async (body, status) => {
    const answer = await host.operation(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: expect.any(String) });
  });

  it('refuses a body that is not sent as JSON, and other paths', async () => {
    expect(await host.operation('text', { headers: { 'content-type': 'text/plain' } })).toMatchObject({
      status: 400,
    });
    const authorization = `Basic ${btoa(`${host.admin.username}:${host.admin.password}`)}`;
    const other = await fetch(`${host.operationsUrl}health`, { headers: { authorization } });
    expect([other.status, await other.json()]).toEqual([404, { error: expect.stringContaining('POST /') }]);
  });

  it('hands the handler the whole body and the user who signed in, whatever the body claims', async () => {
    const { body } = await run('probe_echo', { x: 1, hdb_user: { username: 'root' }, bypass_auth: true });
    expect(record(body)['body']).toEqual({
      operation: 'probe_echo',
      x: 1,
      hdb_user: {
        username: host.admin.username,
        active: true,
        role: { id: expect.any(String), role: 'super_user', permission: { super_user: true } },
      },
    });
  });

  it('starts built-in components with their config and the ports', async () => {
    const { body } = await run('probe_echo');
    expect(record(body)['given']).toEqual(['port', 'securePort', 'resources', 'colour']);
    expect(record(body)['port']).toBe(Number(new URL(host.appUrl).port));
    expect(record(body)['config']).toMatchObject({
      componentsRoot: host.componentsRoot,
      rootPath: host.root,
      operationsApi: { network: { port: Number(new URL(host.operationsUrl).port) } },
    });
    const log = await readFile(host.logPath, 'utf8');
    expect(log).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z \[main\/0\] \[info\] \[probe\]: Probe component initialized$/m,
    );
    expect(log).toMatch(
      /\[main\/0\] \[error\]: Component failing failed to start: this component never starts/,
    );
    expect(log).not.toContain('unused');
  });

  it('wraps results that are no objects, and maps thrown errors by their statusCode', async () => {
    expect(await run('probe_value', { value: 7 })).toEqual({ status: 200, body: { message: 7 } });
    expect(await run('probe_value', { value: [1] })).toEqual({ status: 200, body: [1] });
    expect(await run('probe_value')).toEqual({ status: 200, body: {} });
    for (const statusCode of [404, 409, 418]) {
      expect(await run('probe_fail', { message: 'm', statusCode })).toEqual({
        status: statusCode,
        body: { error: 'm' },
      });
    }
    expect(await run('probe_fail', { message: 'm' })).toEqual({ status: 500, body: { error: 'm' } });
    const told = { error: 'what is told', code: 'stable' };
    for (const [http_resp_msg, body] of [
      [told, told],
      ['what is told', { error: 'what is told' }],
      [null, { error: 'm' }],
    ]) {
      const answer = await run('probe_fail', { message: 'm', statusCode: 409, http_resp_msg });
      expect(answer).toEqual({ status: 409, body });
    }
    expect(await run('probe_fail', { message: 'm', statusCode: 7 })).toEqual({
      status: 500,
      body: { error: 'm' },
    });
  });

  it('publishes the globals components use', async () => {
    expect(await run('probe_globals')).toEqual({
      status: 200,
      body: { logger: 'function', threads: [0], tables: 'object' },
    });
    expect(await run('probe_get', { id: 'from-transaction' })).toMatchObject({
      body: { record: { id: 'from-transaction' } },
    });
  });
});

describe('streams', () => {
  it('sends server-sent events to who accepts them, and a JSON array to others', async () => {
    const events = await host.operation(
      { operation: 'probe_stream' },
      { headers: { accept: 'text/event-stream' } },
    );
    expect(events).toEqual({
      status: 200,
      body: 'event: greeting\nid: 1\ndata: {"text":"hi"}\n\ndata: {"plain":true}\n\n',
    });
    const { body } = await run('probe_stream');
    expect(body).toEqual([{ event: 'greeting', id: 1, data: { text: 'hi' } }, { plain: true }]);
  });

  it('sends each event when it happens, and calls return() when the client leaves', async () => {
    const controller = new AbortController();
    const response = await fetch(host.operationsUrl, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Basic ${btoa(`${host.admin.username}:${host.admin.password}`)}`,
      },
      body: JSON.stringify({ operation: 'probe_endless', name: 'left' }),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe('data: {"started":true}\n\n');
    controller.abort();
    await expect
      .poll(() => run('probe_returned').then(({ body }) => record(body)['returned']))
      .toEqual(['left']);
  });
});

describe('users and roles', () => {
  const dana = { username: 'dana', password: 'secret' };

  it('adds, alters, lists and drops them, with the statuses of Harper', async () => {
    expect(await run('add_role', { role: 'dev', permission: { super_user: false } })).toMatchObject({
      status: 200,
      body: { role: 'dev', id: expect.any(String) },
    });
    expect(await run('add_role', { role: 'dev', permission: {} })).toMatchObject({ status: 409 });
    expect(await run('add_role', { role: 'bad', permission: { operations: ['no_such_op'] } })).toMatchObject({
      status: 400,
    });
    expect(await run('add_user', { ...dana, role: 'nobody', active: true })).toMatchObject({ status: 404 });
    expect(await run('add_user', { username: 'dana', role: 'dev', active: true })).toMatchObject({
      status: 400,
    });
    expect(await run('add_user', { ...dana, role: 'dev', active: true })).toEqual({
      status: 200,
      body: { message: 'dana successfully added' },
    });
    expect(await run('add_user', { ...dana, role: 'dev', active: true })).toMatchObject({ status: 409 });
    expect(await run('user_info', {}, dana)).toMatchObject({
      body: { username: 'dana', role: { role: 'dev' } },
    });
    const users = await run('list_users');
    expect(JSON.stringify(users.body)).not.toContain('password');
    const role = ((await run('list_roles')).body as { id: string; role: string }[]).find(
      (candidate) => candidate.role === 'dev',
    );
    expect(await run('drop_role', { id: role?.id })).toMatchObject({ status: 409 });
    expect(await run('alter_user', { username: 'dana', active: false })).toMatchObject({ status: 200 });
    expect(await run('user_info', {}, dana)).toMatchObject({ status: 401 });
    expect(await run('probe_user', { username: 'dana' })).toMatchObject({ status: 401 });
    expect(await run('probe_user', { username: 'stranger' })).toEqual({
      status: 200,
      body: { username: 'stranger' },
    });
    expect(await run('drop_user', { username: 'dana' })).toMatchObject({ status: 200 });
    expect(await run('drop_user', { username: 'dana' })).toMatchObject({ status: 404 });
    expect(await run('drop_role', { id: role?.id })).toMatchObject({ status: 200 });
  });

  it('lets a role do what its super_user flag, its operations list and the operation itself allow', async () => {
    const as = async (role: string, permission: object) => {
      await run('add_role', { role, permission });
      const user = { username: role, password: 'secret' };
      await run('add_user', { ...user, role, active: true });
      return async (operation: string, parameters: object = {}) =>
        (await run(operation, parameters, user)).status;
    };
    const plain = await as('plain', { super_user: false });
    expect([
      await plain('probe_echo'),
      await plain('probe_anyone'),
      await plain('probe_unsaid'),
      await plain('list_users'),
    ]).toEqual([403, 200, 403, 403]);
    const granted = await as('granted', { super_user: false, operations: ['probe_echo', 'probe_unsaid'] });
    expect([
      await granted('probe_echo'),
      await granted('probe_anyone'),
      await granted('probe_unsaid'),
    ]).toEqual([200, 403, 403]);
    const bounded = await as('bounded', { super_user: true, operations: ['read_only'] });
    expect([
      await bounded('describe_all'),
      await bounded('search_by_hash', { table: 'none', ids: [] }),
      await bounded('insert', { table: 'none', records: [] }),
      await bounded('probe_echo'),
    ]).toEqual([200, 404, 403, 403]);
  });

  it('checks the right to a table for roles that are no super users', async () => {
    await run('create_table', { table: 'dog', primary_key: 'id' });
    const tables = { dog: { read: true, insert: true, update: false, delete: false } };
    await run('add_role', { role: 'dogs', permission: { data: { tables } } });
    const user = { username: 'dogs', password: 'secret' };
    await run('add_user', { ...user, role: 'dogs', active: true });
    const records = [{ id: 1, name: 'Rex' }];
    expect(await run('insert', { table: 'dog', records }, user)).toMatchObject({ status: 200 });
    expect(await run('upsert', { table: 'dog', records }, user)).toMatchObject({ status: 403 });
    expect(await run('delete', { table: 'dog', ids: [1] }, user)).toMatchObject({ status: 403 });
    expect(await run('search_by_id', { table: 'dog', ids: [1] }, user)).toEqual({
      status: 200,
      body: records,
    });
    expect(
      await run('search_by_id', { database: 'system', table: 'hdb_user', ids: ['dogs'] }, user),
    ).toMatchObject({ status: 403 });
    expect(Object.keys(record(record((await run('describe_all', {}, user)).body)['data']))).toEqual(['dog']);
  });

  it('runs operations in process as a user, and checks permissions only when asked to', async () => {
    const inner = { operation: 'list_roles' };
    const as = record((await run('probe_user', { username: 'plain' })).body);
    expect(await run('probe_inner', { inner, as, authorize: true })).toMatchObject({ status: 403 });
    expect(await run('probe_inner', { inner, as, authorize: false })).toMatchObject({ status: 200 });
    expect(await run('probe_inner', { inner, as: { username: 'stranger' }, authorize: true })).toMatchObject({
      status: 403,
    });
    const echoed = await run('probe_inner', {
      inner: { operation: 'probe_echo', hdb_user: { username: 'forged' } },
      as,
      authorize: false,
    });
    expect(echoed.body).toMatchObject({ body: { hdb_user: { username: 'plain' } } });
  });
});

describe('operations on data', () => {
  it('creates, describes, fills, searches and drops', async () => {
    expect(await run('create_database', { database: 'shop' })).toMatchObject({ status: 200 });
    expect(await run('create_database', { database: 'shop' })).toMatchObject({ status: 400 });
    expect(
      await run('create_table', {
        database: 'shop',
        table: 'item',
        primary_key: 'sku',
        attributes: [{ name: 'price' }],
      }),
    ).toMatchObject({ status: 200 });
    expect(await run('create_table', { database: 'shop', table: 'item', primary_key: 'sku' })).toMatchObject({
      status: 400,
    });
    const item = { database: 'shop', table: 'item' };
    const records = [
      { sku: 'a', price: 3 },
      { sku: 'b', price: 1 },
      { sku: 'c', price: 2 },
    ];
    expect(await run('insert', { ...item, records })).toEqual({
      status: 200,
      body: { message: 'inserted 3 of 3 records', inserted_hashes: ['a', 'b', 'c'], skipped_hashes: [] },
    });
    expect(await run('insert', { ...item, records: [{ sku: 'a', price: 9 }] })).toMatchObject({
      body: { inserted_hashes: [], skipped_hashes: ['a'] },
    });
    expect(
      await run('update', {
        ...item,
        records: [
          { sku: 'a', price: 4 },
          { sku: 'z', price: 4 },
        ],
      }),
    ).toMatchObject({ body: { update_hashes: ['a'], skipped_hashes: ['z'] } });
    expect(await run('upsert', { ...item, records: [{ sku: 'd', price: 0 }] })).toMatchObject({
      body: { upserted_hashes: ['d'] },
    });
    expect(await run('search_by_id', { ...item, ids: ['a', 'none'], get_attributes: ['price'] })).toEqual({
      status: 200,
      body: [{ price: 4 }],
    });
    expect(
      await run('search_by_value', { ...item, search_attribute: 'price', search_value: 2 }),
    ).toMatchObject({ body: [{ sku: 'c' }] });
    expect(
      await run('search_by_value', {
        ...item,
        attribute: 'sku',
        value: '*',
        sort: { attribute: 'price', descending: true },
        limit: 2,
      }),
    ).toMatchObject({ body: [{ sku: 'a' }, { sku: 'c' }] });
    const conditions = [{ attribute: 'price', comparator: 'between', value: [1, 2] }];
    expect(await run('search_by_conditions', { ...item, conditions })).toMatchObject({
      body: [{ sku: 'b' }, { sku: 'c' }],
    });
    expect(await run('describe_table', item)).toMatchObject({
      body: { name: 'item', primary_key: 'sku', record_count: 4 },
    });
    expect(await run('delete', { ...item, ids: ['a', 'z'] })).toMatchObject({
      body: { deleted_hashes: ['a'], skipped_hashes: ['z'] },
    });
    expect(await run('drop_table', item)).toMatchObject({ status: 200 });
    expect(await run('describe_table', item)).toMatchObject({ status: 404 });
    expect(await run('drop_database', { database: 'shop' })).toMatchObject({ status: 200 });
    expect(await run('describe_database', { database: 'shop' })).toMatchObject({ status: 404 });
  });

  it('keeps generic writes off the system database, and lets a super user read it', async () => {
    await run('probe_put', { id: 'p' });
    const probe = { database: 'system', table: 'probe' };
    for (const operation of ['insert', 'update', 'upsert']) {
      expect(await run(operation, { ...probe, records: [{ id: 'p' }] })).toMatchObject({ status: 403 });
    }
    expect(await run('delete', { ...probe, ids: ['p'] })).toMatchObject({ status: 403 });
    expect(await run('drop_table', probe)).toMatchObject({ status: 403 });
    const inner = { operation: 'upsert', ...probe, records: [{ id: 'q' }] };
    expect(await run('probe_inner', { inner, authorize: false })).toMatchObject({ status: 403 });
    expect(await run('search_by_id', { ...probe, ids: ['p'] })).toMatchObject({
      status: 200,
      body: [{ id: 'p' }],
    });
  });
});

describe('operations on the server', () => {
  it('reads and writes the configuration file', async () => {
    expect(await run('get_configuration')).toMatchObject({
      status: 200,
      body: { probe: { colour: 'blue' } },
    });
    expect(await run('set_configuration')).toMatchObject({ status: 400 });
    expect(await run('set_configuration', { probe_colour: 'green' })).toMatchObject({ status: 200 });
    expect(await readFile(host.configPath, 'utf8')).toContain('colour: green');
    expect(await run('get_configuration')).toMatchObject({ body: { probe: { colour: 'blue' } } });
  });

  it('reads the log, newest or oldest first, by level and page', async () => {
    const errors = await run('read_log', { level: 'error' });
    expect(errors.body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          level: 'error',
          thread: 'main/0',
          message: expect.stringContaining('never starts'),
        }),
      ]),
    );
    const first = await run('read_log', { limit: 1 });
    const last = await run('read_log', { limit: 1, order: 'desc' });
    expect(first.body).toHaveLength(1);
    expect(last.body).not.toEqual(first.body);
  });

  it('describes cluster, components and system', async () => {
    expect(await run('cluster_status')).toEqual({
      status: 200,
      body: { node_name: 'embedded', is_enabled: false, connections: [] },
    });
    expect(await run('get_components')).toMatchObject({
      status: 200,
      body: { name: 'components', entries: [] },
    });
    expect(await run('system_information')).toMatchObject({
      status: 200,
      body: { threads: [{ workerIndex: 0, name: 'http' }] },
    });
    expect(await run('restart_service', { service: 'none' })).toMatchObject({ status: 400 });
  });

  it('registers the model backends that the config names, and logs those it cannot load', async () => {
    // The backend's file was written after the start, as the root is made by it.
    await run('restart');
    await host.waitForRestart();
    expect(await run('probe_generate')).toEqual({
      status: 200,
      body: { content: 'spoke', finishReason: 'stop' },
    });
    expect(await readFile(host.logPath, 'utf8')).toContain(
      'The model models.generative.broken is not available',
    );
    expect(await run('get_configuration')).toMatchObject({ body: { probe: { colour: 'green' } } });
  }, 30_000);
});
