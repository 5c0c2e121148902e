import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type EmbeddedHost } from '../../src/host/index.js';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
let host: EmbeddedHost;
let debugPort: number;
const run = (operation: string, parameters: object = {}) => host.operation({ operation, ...parameters });
const replace = () => run('restart_service', { service: 'http_workers' });
const log = () => readFile(host.logPath, 'utf8');
async function component(name: string, source: string) {
  await mkdir(`${host.componentsRoot}/${name}`, { recursive: true });
  await writeFile(`${host.componentsRoot}/${name}/resources.js`, source);
}
async function text(path: string, init?: RequestInit) {
  const response = await host.fetchApp(path, init);
  return [response.status, await response.text()];
}
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
const json = (method: string, value: unknown) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

beforeAll(async () => {
  debugPort = await freePort();
  host = await startHost({
    builtins: { probe: fixture('probe.mjs'), pauser: fixture('pauser.mjs') },
    config: {
      probe: true,
      pauser: true,
      threads: { count: 1, debug: { startingPort: debugPort }, startTimeout: 4000 },
    },
  });
  await component(
    'app',
    `export class Hello extends Resource { get() { console.log('greeting %s', 'you'); return 'hi'; } }
     export class Things {
       static get(target) { if (target.id === 'none') return undefined; return { id: target.id, colour: target.get('colour') }; }
       static post(target, data) { return { posted: data, id: target.id }; }
       static put(target, data) {}
     }
     export class Old { post(data) { return data; } }
     export class New { post(target, data) { return { id: target.id, data }; } }
     export class Foo { post() { throw new Error('foo is broken'); } get() { throw Object.assign(new Error('gone'), { statusCode: 410 }); } }
     export class Store {
       static async post(target, data) { await tables.kept.put(data); return (await tables.kept.get(data.id)).at; }
       static get(target) { return databases.system.probe.get(target.id); }
     }
     export class Exit { get() { process.exit(7); } }
     export class Pause { get() { debugger; return 'resumed'; } }
     export const notAClass = 1;`,
  );
  await run('create_table', { table: 'kept', primary_key: 'id' });
  await replace();
}, 60_000);
afterAll(() => host.stop());

describe('resources', { timeout: 30_000 }, () => {
  it('serves texts as they are and objects as JSON, by static and instance methods', async () => {
    expect(await text('/Hello')).toEqual([200, 'hi']);
    expect(await text('/Hello/')).toEqual([200, 'hi']);
    expect(await text('/Things/a%2Fb?colour=red')).toEqual([200, '{"id":"a/b","colour":"red"}']);
    expect(await text('/Things/1', json('POST', { x: 1 }))).toEqual([200, '{"posted":{"x":1},"id":"1"}']);
    expect(await text('/Things/1', json('PUT', {}))).toEqual([204, '']);
    expect(await text('/Old', json('POST', [1]))).toEqual([200, '[1]']);
    expect(await text('/New/5', json('POST', [1]))).toEqual([200, '{"id":"5","data":[1]}']);
  });

  it('answers 404, 405, 400 and what a method throws', async () => {
    expect(await text('/None')).toEqual([404, expect.stringContaining('/None')]);
    expect(await text('/constructor')).toEqual([404, expect.any(String)]);
    expect(await text('/Things/none')).toEqual([404, expect.any(String)]);
    expect(await text('/Hello', { method: 'DELETE' })).toEqual([405, expect.any(String)]);
    expect(
      await text('/Old', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }),
    ).toEqual([400, expect.any(String)]);
    expect(await text('/Foo', { method: 'POST' })).toEqual([500, '{"error":"foo is broken"}']);
    expect(await text('/Foo')).toEqual([410, '{"error":"gone"}']);
  });

  it('logs failures with their stack, and the console of the worker', async () => {
    await text('/Foo', { method: 'POST' });
    await text('/Hello');
    expect(await log()).toMatch(
      /\[http\/0\] \[error\]: POST \/Foo failed: Error: foo is broken\n +at Foo\.post/,
    );
    expect(await log()).toMatch(/\[http\/0\] \[info\]: greeting you$/m);
  });

  it('lets workers write through the main thread, and both see what the other wrote', async () => {
    expect(await text('/Store', json('POST', { id: 'w', at: 5 }))).toEqual([200, '5']);
    expect(await run('search_by_id', { table: 'kept', ids: ['w'] })).toMatchObject({
      body: [{ id: 'w', at: 5 }],
    });
    for (let count = 0; count < 20; count++) {
      await run('probe_put', { id: `m${count}` });
      expect(await text(`/Store/m${count}`)).toEqual([200, expect.stringContaining(`"m${count}"`)]);
    }
  });

  it('tells who forgot to catch, and goes on', async () => {
    await component(
      'careless',
      `export class Careless { get() { Promise.reject(new Error('nobody caught me')); return 'ok'; } }`,
    );
    await replace();
    expect(await text('/Careless')).toEqual([200, 'ok']);
    await expect.poll(log).toContain('nobody caught me');
    expect(await text('/Hello')).toEqual([200, 'hi']);
  });
});

describe('restart_service', { timeout: 30_000 }, () => {
  it('loads changed components without losing a request', async () => {
    await component('version', `export class Version { get() { return '1'; } }`);
    await replace();
    const answers: unknown[] = [];
    let replaced = false;
    const replacing = (async () => {
      for (let version = 2; version <= 3; version++) {
        await component('version', `export class Version { get() { return '${version}'; } }`);
        expect((await replace()).status).toBe(200);
        expect(await text('/Version')).toEqual([200, String(version)]);
      }
      replaced = true;
    })();
    while (!replaced) answers.push((await text('/Version')).join());
    await replacing;
    expect(answers.length).toBeGreaterThan(20);
    expect([...new Set(answers)]).toEqual(['200,1', '200,2', '200,3']);
  });

  it('keeps the main thread', async () => {
    const { pid } = host;
    await replace();
    expect(host.pid).toBe(pid);
    expect(() => process.kill(pid, 0)).not.toThrow();
  });

  it('keeps a component that does not load to itself', async () => {
    await component('broken', 'export class Broken { get() { return this is not javascript } }');
    await component('throws', `export class Fine {}\nthrow new Error('top level');`);
    expect((await replace()).status).toBe(200);
    expect(await text('/Hello')).toEqual([200, 'hi']);
    expect(await text('/Broken')).toEqual([500, expect.stringContaining('could not be loaded')]);
    expect(await text('/Fine')).toEqual([500, expect.stringContaining('top level')]);
    expect(await log()).toContain('[http/0] [error]: Component broken could not be loaded: SyntaxError');
    await rm(`${host.componentsRoot}/broken`, { recursive: true });
    await rm(`${host.componentsRoot}/throws`, { recursive: true });
  });

  it('keeps the old workers when the new ones do not start', async () => {
    await component('stuck', 'for (;;);');
    expect(await replace()).toEqual({
      status: 500,
      body: { error: expect.stringContaining('not ready after 4000 ms') },
    });
    expect(await text('/Hello')).toEqual([200, 'hi']);
    await rm(`${host.componentsRoot}/stuck`, { recursive: true });
    expect((await replace()).status).toBe(200);
  });

  it('replaces a worker that a debugger has paused', async () => {
    await run('attach_debugger');
    const answer = text('/Pause');
    expect(await run('wait_for_pause')).toMatchObject({ body: { message: 'paused' } });
    expect((await replace()).status).toBe(200);
    expect(await answer).toEqual([200, 'resumed']);
    expect(await text('/Hello')).toEqual([200, 'hi']);
  });
});

describe('workers', { timeout: 30_000 }, () => {
  it('open their inspector port, and again after they were replaced', async () => {
    const targets = async () => (await fetch(`http://127.0.0.1:${debugPort}/json/list`)).json();
    expect(await targets()).toMatchObject([
      { webSocketDebuggerUrl: expect.stringContaining(`:${debugPort}/`) },
    ]);
    await replace();
    expect(await targets()).toMatchObject([
      { webSocketDebuggerUrl: expect.stringContaining(`:${debugPort}/`) },
    ]);
  });

  it('come back when application code ends them', async () => {
    await expect(text('/Exit')).rejects.toThrow('fetch failed');
    // New connections wait at the app port until a worker serves again.
    expect(await text('/Hello')).toEqual([200, 'hi']);
    expect(await log()).toContain('Worker 0 ended by itself with code 7');
  });
});
