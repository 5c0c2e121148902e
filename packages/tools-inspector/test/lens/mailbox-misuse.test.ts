import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRecordings } from '../../src/debugger/recordings.js';
import { openAppTools } from '../support/open-app-tools.js';
import { HOT, orders, snapshot, TAPPED } from '../support/tapped-app.js';
import type { Asked } from '../support/tapped-app.js';

async function tapped(asked: Asked = {}, more: object = {}) {
  const source = orders(HOT, TAPPED);
  const tools = await openAppTools('in-process', { source, ...more });
  const set = await snapshot(tools, source, asked);
  return {
    tools,
    set,
    run: (code: string, more = {}) => tools.workers[0]!.request('run', { code, ...more }),
  };
}

describe('without an attack', () => {
  it('an attached session: nothing stays of a snapshot that was removed', async () => {
    const source = orders(HOT);
    const tools = await openAppTools('in-process', { source });
    await tools.call('inspector_attach', { workerIndex: 0 });
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    for (let round = 0; round < 100; round += 1) await (await snapshot(tools, source)).remove();
    gc();
    const { value } = await tools.workers[0]!.request('run', {
      code: 'return process.memoryUsage().arrayBuffers',
    });
    expect(value).toBeLessThan(10e6);
  });

  it('a worker that ends while something is being placed there leaves no timer', async () => {
    const started = vi.spyOn(globalThis, 'setInterval');
    const stopped = vi.spyOn(globalThis, 'clearInterval');
    onTestFinished(() => void vi.restoreAllMocks());
    const recordings = createRecordings({
      instruments: {
        ready: async () => true,
        arm: () => ({ method: '' }),
        condition: () => '',
        binding: '',
        read: () => [],
      },
      scripts: { byId: new Map(), contextOf: () => 1, readPlace: async () => ({ source: '' }) },
      // The worker ends meanwhile.
      names: { find: async () => (recordings.close(), { variables: [], own: 0, declared: [] }) },
    } as never);
    await recordings.prepare(
      { spec: { kind: 'snapshot', expressions: [] }, limits: {} } as never,
      { scriptId: '1', lineNumber: 0 } as never,
    );
    const ended = stopped.mock.calls.map(([timer]) => timer);
    const left = started.mock.results.filter(({ value }) => !ended.includes(value));
    left.forEach(({ value }) => clearInterval(value));
    expect(left).toHaveLength(0);
  });

  it('a read shows what was recorded before it', async () => {
    const source = orders(HOT);
    const tools = await openAppTools('in-process', { source });
    const set = await snapshot(tools, source, { hits: 5 });
    const seen = [];
    for (let round = 0; round < 4; round += 1) {
      await tools.workers[0]!.request('post', { times: 1 });
      seen.push((await set.read(0, 0)).hits.length);
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });
});

describe('an application that attacks', () => {
  it('cannot stop the reading of hits (time)', async () => {
    const { set, run } = await tapped();
    await run('forge(hit(1, { time: 1e300 }))');
    await delay(60);
    expect((await set.read(0, 100)).hits).toEqual([]);
  });

  it('cannot have a hit shown that is deeper than any that is recorded', async () => {
    const { set, run } = await tapped({ hits: 50 });
    let tree = `{"kind":"leaf","text":"${'\\n'.repeat(10_000)}"}`;
    for (let level = 0; level < 300; level += 1)
      tree = `{"kind":"node","shape":"object","label":"","size":1,"entries":[[null,${tree}]]}`;
    const text = `{"id":1,"time":1,"stack":[],"view":{"variables":[["a",${tree}]],"left":0,"paths":[]}}`;
    await run('forge(body.text)', { text });
    expect((await set.read(0, 300)).hits).toEqual([]);
  });

  it('gets no object of where the recorder lives', async () => {
    const { run, tools } = await tapped();
    const code = `globalThis.own = 0;
      memory().constructor?.constructor('f', 'Object.prototype.toJSON = function () { f(); return 1; }')(() => { own += 1; });`;
    await run(code);
    await tools.workers[0]!.request('post', { times: 1 });
    expect(await run('return own')).toEqual({ value: 0 });
  });

  it('shows no secret, no more frames than are recorded, no longer names, and nothing in another session', async () => {
    const secret = 'very-secret-value-123456';
    const { set, run, tools } = await tapped({}, { env: { API_SECRET: secret } });
    const other = await snapshot(tools, orders(HOT, TAPPED), {}, 's2');
    await run(
      `forge(hit(2, { stack: [['f', 'file:///' + body.secret, 1, 1]] }));
      forge(hit(1, { stack: Array(1000).fill(['f', 'file:///' + body.secret, 1, 1]), view: { variables: [['x'.repeat(10_000), { kind: 'leaf', text: '' }]], left: 0, paths: [] } }))`,
      { secret },
    );
    const one = await set.read(0, 200);
    const two = await other.read(0, 200);
    expect(one.hits).toEqual([]);
    expect(two.text).toContain('at f (');
    expect(two.text).not.toContain(secret);
  });

  it('has no worker that never ends by itself: unref throws', async () => {
    const source = orders(HOT, "BroadcastChannel.prototype.unref = () => { throw new Error('no'); };");
    const tools = await openAppTools('in-process', { source });
    const open = async () =>
      (await tools.workers[0]!.request('run', { code: 'return process.getActiveResourcesInfo()' })).value;
    const before = await open();
    await (await snapshot(tools, source)).remove();
    expect(await open()).toEqual(before);
  });
});
