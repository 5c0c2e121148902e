import { describe, expect, it } from 'vitest';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';

const GOOD = { items: [{ price: 10 }, { price: 20 }] };
const LOOP = { path: 'orders/resources.js', line: 8 };
const WORKER = { workerIndex: 0 };

describe.each(TRANSPORTS)('breakpoints, %s', (transport) => {
  it('stop a worker, show where, evaluate there, step, and let it run on', async () => {
    const { workers, set, call, app } = await openAppTools(transport);
    const id = await set('inspector_set_breakpoint', { ...LOOP, condition: 'item.price === 20' });
    const answered = workers[0]!.request('post', GOOD);
    const paused = await call('inspector_paused', { waitMs: 2000 });
    expect(paused.text).toContain(`at post (${app.ordersUrl}:8:`);
    expect((await call('inspector_status')).text).toContain(`stands still at ${app.ordersUrl}:8`);
    const evaluate = async (input: object) =>
      (await call('inspector_evaluate', { ...WORKER, frame: 0, ...input })).text;
    expect(await evaluate({ expression: '[total, item.price, this.discount]' })).toBe('[10, 20, 0.1]');
    await expect(evaluate({ expression: 'total = 0' })).rejects.toMatchObject({ name: 'ToolDeniedError' });
    expect(await evaluate({ expression: 'total = 100', sideEffects: true })).toBe('100');
    await expect(evaluate({ expression: '1', frame: 99 })).rejects.toThrow(
      'has no frame 99: its frames are 0 to',
    );
    await call('inspector_remove_breakpoint', { id });
    await call('inspector_resume', { ...WORKER, step: 'over' });
    expect((await call('inspector_paused', { waitMs: 2000 })).text).toContain(`(${app.ordersUrl}:`);
    expect((await call('inspector_resume', WORKER)).text).toContain('runs on');
    expect(await answered).toEqual({ value: 108 });
    await expect(call('inspector_resume', WORKER)).rejects.toThrow('does not stand still');
    await expect(call('inspector_evaluate', { ...WORKER, frame: 0, expression: '1' })).rejects.toThrow(
      'leave out the frame',
    );
  });

  it('let the worker run on by themselves, and are gone then', async () => {
    const { workers, set, call } = await openAppTools(transport, { limits: { holdMs: 50 } });
    const id = await set('inspector_set_breakpoint', LOOP);
    const other = await set('inspector_set_breakpoint', { ...LOOP, line: 10 });
    expect(await workers[0]!.request('post', GOOD)).toEqual({ value: 27 });
    for (const one of [id, other]) {
      expect((await call('inspector_read_hits', { id: one })).text).toContain(
        'Removed: a breakpoint held a worker for 50 ms, which is the most.',
      );
    }
  });

  it('let the worker run on by themselves also where it stops again at once after a resume', async () => {
    const { workers, set, call } = await openAppTools(transport, { limits: { holdMs: 500 } });
    await set('inspector_set_breakpoint', LOOP);
    const answered = workers[0]!.request('post', GOOD, 100);
    await call('inspector_paused', { waitMs: 2000 });
    const resumed = call('inspector_resume', WORKER);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    // That it ran and that it stands again arrive together.
    for (const end = performance.now() + 200; performance.now() < end;);
    await resumed;
    expect(await answered).toEqual({ value: 27 });
  });

  it.each(['sessionEnded', 'close'] as const)('leave no worker standing after %s', async (how) => {
    const { workers, set, call, provider } = await openAppTools(transport, { count: 2 });
    await set('inspector_set_breakpoint', LOOP);
    const answered = workers.map((worker) => worker.request('post', GOOD));
    await call('inspector_paused', { waitMs: 2000 });
    await (how === 'close' ? provider.close() : provider.sessionEnded?.('s1'));
    expect(await Promise.all(answered)).toEqual([{ value: 27 }, { value: 27 }]);
    for (const worker of workers) await worker.terminate();
  });

  it('leave a snapshot of another session its hits', async () => {
    const { workers, set, call } = await openAppTools(transport);
    await set('inspector_set_breakpoint', LOOP);
    const snapshot = await set('inspector_snapshot', { ...LOOP, hits: 1 }, { sessionId: 's2' });
    const answered = workers[0]!.request('post', GOOD);
    await call('inspector_paused', { waitMs: 2000 });
    const { data } = await call('inspector_read_hits', { id: snapshot, waitMs: 2000 }, { sessionId: 's2' });
    expect(Object(data).hits).toHaveLength(1);
    await call('inspector_remove_breakpoint', { id: 'p1' });
    await call('inspector_resume', WORKER);
    expect(await answered).toEqual({ value: 27 });
  });
});

describe('breakpoints', () => {
  it('belong to the session that set them', async () => {
    const { set, call } = await openAppTools();
    const id = await set('inspector_set_breakpoint', LOOP);
    await expect(call('inspector_remove_breakpoint', { id }, { sessionId: 's2' })).rejects.toThrow(
      `This session has set no '${id}': nothing is set`,
    );
    expect((await call('inspector_remove_breakpoint', { id })).text).toContain('Removed p1: breakpoint at');
    expect((await call('inspector_remove_breakpoint', { id })).text).toContain('It was gone already');
  });

  it('are refused where an expression is none, where there is no such worker, and where there are too many', async () => {
    const { set, call } = await openAppTools('in-process', { limits: { probesPerSession: 2 } });
    await expect(call('inspector_set_breakpoint', { ...LOOP, condition: 'a b' })).rejects.toThrow(
      "'a b' is not one JavaScript expression: SyntaxError",
    );
    for (const workerIndex of [-1, 7]) {
      await expect(call('inspector_snapshot', { ...LOOP, workerIndex })).rejects.toThrow(
        'Workers that can be: 0.',
      );
    }
    for (const line of [0, -1, 1.5]) {
      await expect(call('inspector_snapshot', { ...LOOP, line })).rejects.toMatchObject({ name: 'ZodError' });
    }
    await set('inspector_snapshot', LOOP);
    await set('inspector_snapshot', LOOP);
    await expect(call('inspector_snapshot', LOOP)).rejects.toThrow('remove one first (p1, p2)');
    await call('inspector_remove_breakpoint', { id: 'p1' });
    await set('inspector_snapshot', LOOP);
    expect((await call('inspector_status')).text).not.toContain('p1');
  });

  it('leave a debugger statement without effect while something is set', async () => {
    const { workers, set, call } = await openAppTools();
    await set('inspector_snapshot', { ...LOOP, hits: 1 });
    const evaluated = call('inspector_evaluate', {
      ...WORKER,
      sideEffects: true,
      expression: 'setImmediate(() => { debugger; globalThis.passed = true })',
    });
    await evaluated;
    expect(await workers[0]!.request('post', GOOD)).toEqual({ value: 27 });
    expect((await call('inspector_evaluate', { ...WORKER, expression: 'passed' })).text).toBe('true');
  });
});

describe.each(TRANSPORTS)('inspector_set_logpoint, %s', (transport) => {
  it('evaluates with side effects, and what it throws does not reach the code', async () => {
    const { workers, set, call } = await openAppTools(transport);
    const id = await set('inspector_set_logpoint', {
      ...LOOP,
      expression: '(globalThis.seen = item.price)',
      hits: 2,
    });
    const broken = await set('inspector_set_logpoint', { ...LOOP, expression: 'nowhere.to.be', hits: 1 });
    expect(await workers[0]!.request('post', GOOD, 50)).toEqual({ value: 27 });
    const { text } = await call('inspector_read_hits', { id, after: 1, waitMs: 2000 });
    expect(text).toContain('(globalThis.seen = item.price) = 20');
    expect((await call('inspector_read_hits', { id: broken, waitMs: 2000 })).text).toContain(
      'nowhere.to.be = <threw ReferenceError: nowhere is not defined>',
    );
    expect((await call('inspector_evaluate', { ...WORKER, expression: 'seen' })).text).toBe('20');
  });

  it('is bounded in a hot path, and gone when the session ends', async () => {
    const { workers, set, call, provider } = await openAppTools(transport);
    const id = await set('inspector_set_logpoint', { ...LOOP, expression: 'item', hits: 50 });
    await workers[0]!.request('post', GOOD, 10_000);
    const { data } = await call('inspector_read_hits', { id });
    expect(Object(data).hits.length).toBeLessThanOrEqual(50);
    await provider.sessionEnded?.('s1');
    expect(await workers[0]!.request('post', GOOD, 100)).toEqual({ value: 27 });
  });
});
