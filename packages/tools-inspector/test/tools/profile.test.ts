import { describe, expect, it } from 'vitest';
import { summarizeProfile } from '../../src/profile/summarize-profile.js';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';

const PROFILE = { workerIndex: 0, durationMs: 300 };

describe.each(TRANSPORTS)('inspector_profile_cpu, %s', (transport) => {
  it('finds the function that takes the time', async () => {
    const { workers, call, app } = await openAppTools(transport);
    const profiled = call('inspector_profile_cpu', PROFILE);
    const items = Array.from({ length: 100 }, () => ({ price: 1 }));
    let done = false;
    const load = (async () => {
      while (!done) await workers[0]!.request('post', { items }, 20_000);
    })();
    const { text, data } = await profiled;
    done = true;
    await load;
    expect(text).toContain('samples in');
    // V8 may have made one of the method and what calls it; both are the application's.
    const folder = app.ordersUrl.slice(0, app.ordersUrl.indexOf('/orders/'));
    expect(Object(data).topBySelf[0].at).toContain(folder);
    expect(JSON.stringify(Object(data).hottestPath)).toContain(folder);
  });

  it('can be cancelled in the middle, and then profiles again', async () => {
    const { call } = await openAppTools(transport);
    const controller = new AbortController();
    const cancelled = call(
      'inspector_profile_cpu',
      { ...PROFILE, durationMs: 60_000 },
      { signal: controller.signal },
    );
    await expect(call('inspector_profile_cpu', PROFILE)).rejects.toThrow('is being profiled already');
    controller.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    expect((await call('inspector_profile_cpu', { ...PROFILE, durationMs: 100 })).text).toContain(
      'samples in',
    );
  });

  it('ends with its worker', async () => {
    const { workers, call } = await openAppTools(transport);
    const profiled = call('inspector_profile_cpu', { ...PROFILE, durationMs: 60_000 });
    profiled.catch(() => undefined);
    await call('inspector_evaluate', { workerIndex: 0, expression: '1' });
    await workers[0]!.terminate();
    await expect(profiled).rejects.toMatchObject({ code: 'inspector_closed' });
  });
});

describe('inspector_profile_cpu', () => {
  it.each([-1, 0, 99, 1e9, '5s', null])(
    'does not let the duration %j past the schema',
    async (durationMs) => {
      const { call } = await openAppTools('in-process', { count: 0 });
      await expect(call('inspector_profile_cpu', { workerIndex: 0, durationMs })).rejects.toMatchObject({
        name: 'ZodError',
      });
    },
  );
});

describe('summarizeProfile', () => {
  const frame = (functionName: string, line = 0) => ({
    functionName,
    url: functionName.startsWith('(') ? '' : 'file:///a.js',
    lineNumber: line,
  });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 5] },
      { id: 2, callFrame: frame('walk', 3), children: [3] },
      { id: 3, callFrame: frame('walk', 3), children: [4] },
      { id: 4, callFrame: frame('leaf', 9) },
      { id: 5, callFrame: frame('(idle)') },
    ],
    startTime: 0,
    endTime: 10_000,
    samples: [2, 3, 4, 4, 5],
    timeDeltas: [1000, 1000, 2000, 2000, 4000],
  };

  it('counts a function that calls itself once', () => {
    const summary = summarizeProfile({ result: { profile }, top: 5 });
    expect(summary).toEqual({
      durationMs: 10,
      samples: 5,
      idleMs: 4,
      topBySelf: [
        { name: 'leaf', at: 'file:///a.js:10', selfMs: 4, totalMs: 4 },
        { name: 'walk', at: 'file:///a.js:4', selfMs: 2, totalMs: 6 },
      ],
      topByTotal: [
        { name: 'walk', at: 'file:///a.js:4', selfMs: 2, totalMs: 6 },
        { name: 'leaf', at: 'file:///a.js:10', selfMs: 4, totalMs: 4 },
      ],
      hottestPath: [
        { name: 'walk', at: 'file:///a.js:4', totalMs: 6 },
        { name: 'walk', at: 'file:///a.js:4', totalMs: 5 },
        { name: 'leaf', at: 'file:///a.js:10', totalMs: 4 },
      ],
    });
    expect(summarizeProfile({ text: JSON.stringify({ id: 1, result: { profile } }), top: 5 })).toEqual(
      summary,
    );
  });

  it('survives a stack of any depth, and an empty profile', () => {
    const deep = Array.from({ length: 50_000 }, (_, at) => ({
      id: at + 1,
      callFrame: frame('f'),
      ...(at < 49_999 ? { children: [at + 2] } : {}),
    }));
    const one = { ...profile, nodes: deep, samples: [50_000], timeDeltas: [1000] };
    expect(summarizeProfile({ result: { profile: one }, top: 1 }).topBySelf[0]?.selfMs).toBe(1);
    const none = { nodes: [], startTime: 0, endTime: 0 };
    expect(summarizeProfile({ result: { profile: none }, top: 1 }).hottestPath).toEqual([]);
  });
});
