import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openAppTools } from '../support/open-app-tools.js';
import type { AppTools } from '../support/open-app-tools.js';
import { HOT, orders, snapshot, TAPPED } from '../support/tapped-app.js';
import type { Shown } from '../support/tapped-app.js';

/** No limit but that of hits. */
const ANY_RATE = { hitsPerSecond: 100_000, maxHits: 100_000, pauseMs: 60_000 };

const valuesOf = ({ hits }: Shown) => hits.map(({ expressions }) => Number(expressions[0]?.text));
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

/** What was read once there are so many hits. */
async function all(set: Awaited<ReturnType<typeof snapshot>>, count: number): Promise<Shown> {
  await expect.poll(async () => (await set.read(count - 1)).hits.length, { timeout: 10_000 }).toBe(1);
  return set.read();
}

const GARBAGE: Readonly<Record<string, string>> = {
  'no JSON': "forge('{');",
  'nothing at all': "forge('');",
  'lists without end': "forge('['.repeat(60_000));",
  'other shapes':
    "for (const one of [null, 1, [], {}, { id: '1' }, { id: 1 }, { id: 1.5, spent: 'rate' }]) forge(one);",
  'a reason that is none': "forge({ id: 1, spent: '__proto__' });",
  'hits of nobody': 'for (let id = 2; id < 50; id += 1) { forge(hit(id)); forge(hit(-id)); }',
  'a view that is none':
    "for (const view of [null, {}, { variables: [['a']], left: 0, paths: [] }]) forge(hit(1, { view }));",
  'more than there is': 'counts()[0] = 0x7fffffff;',
  'less than there was': 'counts()[0] -= 100;',
  'that all was read, and more': 'counts()[1] = counts()[0] + 1000;',
  'lengths beyond the end': "forge('good'); units().fill(0xffff);",
};

describe('an application that has got hold of the memory', () => {
  it.each(Object.entries(GARBAGE))('has its later hits told, whatever it wrote: %s', async (_, code) => {
    const source = orders(HOT, TAPPED);
    const tools = await openAppTools('in-process', { source });
    const set = await snapshot(tools, source, { hits: 2 });
    expect(await tools.workers[0]!.request('run', { code })).not.toHaveProperty('error');
    // It is looked into.
    await set.read(0, 100);
    await tools.workers[0]!.request('post', { times: 2 });
    const shown = await set.read(1);
    expect(valuesOf(shown)).toEqual([1]);
    expect(shown.ended).toBe('it has its 2 hits');
  });

  it('makes nobody see more hits than were asked for, and no other worker have any', async () => {
    const source = orders(HOT, TAPPED);
    const tools = await openAppTools('in-process', { source, count: 2 });
    const own = await snapshot(tools, source, { hits: 3, workerIndex: 0 });
    const other = await snapshot(tools, source, { hits: 3, workerIndex: 1 }, 's2');
    const code = 'for (let at = 0; at < 300; at += 1) forge(hit(1));';
    for (let round = 0; round < 3; round += 1) {
      await tools.workers[0]!.request('run', { code });
      await delay(30);
    }
    expect((await own.read(2)).ended).toBe('it has its 3 hits');
    expect((await own.read()).hits).toHaveLength(3);
    expect((await other.read(0, 0)).hits).toEqual([]);
  });

  it('has its secrets masked in what it wrote itself', async () => {
    const secret = 'very-secret-value-123456';
    const source = orders(HOT, TAPPED);
    const tools = await openAppTools('in-process', { source, env: { API_SECRET: secret } });
    const set = await snapshot(tools, source);
    const code = `const leaf = { kind: 'leaf', text: body.secret };
      forge(hit(1, { stack: [[body.secret, null, null, null]], view: { variables: [[body.secret, leaf]], left: 0, paths: [leaf] } }));`;
    await tools.workers[0]!.request('run', { code, secret });
    const { hits, text } = await set.read();
    expect(hits[0]).toMatchObject({ stack: [{}], locals: [{}], expressions: [{}] });
    expect(JSON.stringify(hits) + text).not.toContain(secret);
  });

  it.each([
    ['with what is short', "forge('{}');"],
    ['without any sense', 'counts()[at & 1] = Math.random() * 2 ** 32; units()[at & 0xffff] = at;'],
  ])('leaves the main thread at its work while it goes on to write: %s', async (_, step) => {
    const source = orders(HOT, TAPPED);
    const tools = await openAppTools('in-process', { source });
    const set = await snapshot(tools, source);
    const code = `const until = Date.now() + 1000; for (let at = 0; Date.now() < until; at += 1) { ${step} } return true;`;
    const asked = tools.workers[0]!.request('run', { code });
    await delay(700);
    expect((await set.read(0, 0)).hits).toEqual([]);
    expect(await asked).toEqual({ value: true });
  });
});

const REPLACED: Readonly<Record<string, readonly [change: string, called: string]>> = {
  'all globals': [
    "for (const name of ['BroadcastChannel', 'SharedArrayBuffer', 'Atomics', 'Uint16Array', 'Int32Array']) globalThis[name] = () => called.push(name);",
    '',
  ],
  'what is imported': [
    "threads.BroadcastChannel = class { constructor() { called.push('new'); throw new Error('no'); } };",
    'new',
  ],
  'a postMessage that throws': [
    "BroadcastChannel.prototype.postMessage = () => { called.push('post'); throw new Error('no'); };",
    'post',
  ],
  'a postMessage that does nothing': [
    "BroadcastChannel.prototype.postMessage = () => { called.push('post'); };",
    'post',
  ],
  'a postMessage that comes too late': [
    `const { postMessage, close } = BroadcastChannel.prototype;
    BroadcastChannel.prototype.close = () => { called.push('close'); };
    BroadcastChannel.prototype.postMessage = function (given) {
      called.push('post');
      setTimeout(() => { postMessage.call(this, given); close.call(this); }, 200);
    };`,
    'post,close',
  ],
  'a close that throws': [
    "BroadcastChannel.prototype.close = () => { called.push('close'); throw new Error('no'); };",
    'close',
  ],
  'an unref that does nothing': [
    "BroadcastChannel.prototype.unref = () => { called.push('unref'); };",
    'unref',
  ],
  'a hook for what is asynchronous': [
    "createHook({ init: (_, type) => { if (type === 'MESSAGEPORT') called.push('init'); } }).enable();",
    'init',
  ],
};

describe('an application that has replaced what the memory comes by', () => {
  it.each(Object.entries(REPLACED))(
    'has its hits told, and is called once: %s',
    async (_, [change, called]) => {
      const source = orders(
        HOT,
        `import threads from 'node:worker_threads';\nimport { createHook } from 'node:async_hooks';\nglobalThis.called = [];\n${change}`,
      );
      const tools = await openAppTools('in-process', { source });
      const set = await snapshot(tools, source, { hits: 5 });
      expect(await tools.workers[0]!.request('post', { times: 4 })).toEqual({ value: 4 });
      expect(valuesOf(await all(set, 4))).toEqual(upTo(4));
      expect(await tools.workers[0]!.request('run', { code: 'return called.join()' })).toEqual({
        value: called,
      });
    },
  );
});

describe('a worker that ends', () => {
  it.each([
    [1, 1],
    [60, 50],
    [50, 60],
    [3000, 2000],
    [2000, 3000],
  ])('leaves what it recorded, whole and in order: of %i hits, where there were %i', async (hits, times) => {
    const source = orders(HOT.replace('return body.times;', 'process.exit();'));
    const tools = await openAppTools('in-process', { source, limits: ANY_RATE });
    const set = await snapshot(tools, source, { hits });
    const exited = once(tools.workers[0]!.worker, 'exit');
    tools.workers[0]!.request('post', { times }).catch(() => undefined);
    await exited;
    expect(valuesOf(await all(set, Math.min(hits, times)))).toEqual(upTo(Math.min(hits, times)));
  });

  it('leaves what it recorded on its way out', async () => {
    const source = orders(
      `process.on('exit', () => { for (let n = 5; n < 8; n += 1) step(n); });
    for (let n = 0; n < 5; n += 1) step(n);
    process.exit();`,
      'const step = (n) => {\n  use(n); /*here*/\n};',
    );
    const tools = await openAppTools('in-process', { source });
    const set = await snapshot(tools, source, { hits: 10 });
    tools.workers[0]!.request('post', {}).catch(() => undefined);
    expect(valuesOf(await all(set, 8))).toEqual(upTo(8));
  });

  it.each([0, 20])('is ended in the middle of a flood, after %i ms', async (ms) => {
    const source = orders(HOT);
    const tools = await openAppTools('in-process', { source, limits: ANY_RATE });
    const set = await snapshot(tools, source, { hits: 100_000 });
    tools.workers[0]!.request('post', { times: 1e7 }).catch(() => undefined);
    await delay(ms);
    await tools.workers[0]!.terminate();
    await set.read(0, 100);
    await delay(100);
    const values = valuesOf(await set.read(0, 0));
    expect(values).toEqual(upTo(values.length));
  });

  it('is followed by others, which have the hits that are left', async () => {
    const source = orders(HOT.replace('return body.times;', 'process.exit();'));
    const tools = await openAppTools('in-process', { source });
    const set = await snapshot(tools, source, { hits: 7 });
    for (const count of [2, 4, 6, 7]) {
      tools.workers[0]!.request('post', { times: 2 }).catch(() => undefined);
      await all(set, count);
      await tools.replace(0);
      await expect.poll(async () => (await set.read(0, 0)).text).toMatch(/as the code runs on|Removed/);
    }
    const shown = await set.read();
    expect(valuesOf(shown)).toEqual([0, 1, 0, 1, 0, 1, 0]);
    expect(new Set(shown.hits.map(({ threadId }) => threadId)).size).toBe(4);
  });
});

describe('a flood of hits while the main thread is blocked', () => {
  it('is in order for each of two sessions', async () => {
    const source = orders(HOT);
    const tools = await openAppTools('in-process', { source, limits: ANY_RATE });
    const one = await snapshot(tools, source, { hits: 3000 });
    const two = await snapshot(tools, source, { hits: 1000 }, 's2');
    const asked = tools.workers[0]!.request('post', { times: 4000 });
    spawnSync('sleep', ['1']);
    expect(await asked).toEqual({ value: 4000 });
    expect(valuesOf(await all(one, 3000))).toEqual(upTo(3000));
    expect(valuesOf(await all(two, 1000))).toEqual(upTo(1000));
  });

  it('is in order for each of two contexts', async () => {
    const source = `import vm from 'node:vm';
const make = (name) => vm.runInContext('(function () {\\n  return (n) => {\\n    return n;\\n  };\\n})', vm.createContext({}), {
  filename: import.meta.url.replace('resources.js', name),
})();
const a = make('a.js'), b = make('b.js');
export class Orders { post(body) { for (let n = 0; n < body.times; n += 1) { a(n); b(n); } return body.times; } }
`;
    const tools = await openAppTools('in-process', { source, limits: ANY_RATE });
    const a = await snapshot(tools, source, { path: 'orders/a.js', line: 3, hits: 600 });
    const b = await snapshot(tools, source, { path: 'orders/b.js', line: 3, hits: 400 });
    const asked = tools.workers[0]!.request('post', { times: 500 });
    spawnSync('sleep', ['1']);
    expect(await asked).toEqual({ value: 500 });
    expect(valuesOf(await all(a, 500))).toEqual(upTo(500));
    expect(valuesOf(await all(b, 400))).toEqual(upTo(400));
  });

  it('is in order where some hits are larger than the memory', async () => {
    const source = orders(
      HOT.replace('{', "{ const text = (n % 7 === 3 ? '\\u0001' : 'x').repeat(4000), list = [text, text];"),
    );
    const tools = await openAppTools('in-process', { source, limits: ANY_RATE });
    const texts = ['text', 'list[0]', 'list[1]'];
    const set = await snapshot(tools, source, { hits: 60, expressions: ['n', ...texts, ...texts] });
    const asked = tools.workers[0]!.request('post', { times: 60 });
    spawnSync('sleep', ['0.5']);
    expect(await asked).toEqual({ value: 60 });
    expect(valuesOf(await all(set, 60))).toEqual(upTo(60));
  });
});

/** Those that were started from now on and run still. */
function watchIntervals(): () => number {
  const started = vi.spyOn(globalThis, 'setInterval');
  const stopped = vi.spyOn(globalThis, 'clearInterval');
  onTestFinished(() => void vi.restoreAllMocks());
  return () => {
    const ended = new Set(stopped.mock.calls.map(([timer]) => timer));
    return started.mock.results.filter(({ value }) => !ended.has(value)).length;
  };
}

describe('where nothing is recorded any more', () => {
  it.each<
    readonly [string, (tools: AppTools, set: Awaited<ReturnType<typeof snapshot>>) => Promise<unknown>]
  >([
    ['its hits are there', ({ workers }) => workers[0]!.request('post', { times: 3 })],
    ['it was removed', (_, set) => set.remove()],
    ['the session has ended', async ({ provider }) => provider.sessionEnded?.('s1')],
    [
      'the worker and the session have ended',
      async ({ workers, provider }) => {
        await workers[0]!.terminate();
        await provider.sessionEnded?.('s1');
      },
    ],
    ['the tools are closed', async ({ provider }) => provider.close()],
  ])('no timer runs: %s', async (_, end) => {
    const running = watchIntervals();
    const source = orders(HOT);
    const tools = await openAppTools('in-process', { source });
    const set = await snapshot(tools, source, { hits: 2 });
    expect(running()).toBeGreaterThan(0);
    await end(tools, set);
    await vi.waitFor(() => expect(running()).toBe(0));
  });

  it('the worker has nothing open that it had not before', async () => {
    const source = orders(HOT);
    const tools = await openAppTools('in-process', { source });
    const open = () => tools.workers[0]!.request('run', { code: 'return process.getActiveResourcesInfo()' });
    const before = await open();
    for (let round = 0; round < 3; round += 1) await (await snapshot(tools, source)).remove();
    expect(await open()).toEqual(before);
  });
});
