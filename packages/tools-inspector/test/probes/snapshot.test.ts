import { describe, expect, it } from 'vitest';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';

const GOOD = { items: [{ price: 10 }, { price: 20 }] };
const LOOP = { path: 'orders/resources.js', line: 8 };

describe.each(TRANSPORTS)('inspector_snapshot, %s', (transport) => {
  it('records expressions, variables and the stack, and the request is answered as ever', async () => {
    const { workers, set, call, app } = await openAppTools(transport);
    const { text } = await call('inspector_snapshot', {
      ...LOOP,
      expressions: ['item.price * 2', 'this.discount'],
    });
    expect(text).toContain(`bound at ${app.ordersUrl}:8:`);
    const id = await set('inspector_snapshot', { ...LOOP, hits: 1 });
    expect(await workers[0]!.request('post', GOOD)).toEqual({ value: 27 });
    const seen = await call('inspector_read_hits', { id: 'p1', waitMs: 2000 });
    expect(seen.text).toContain('item.price * 2 = 20\nthis.discount = 0.1');
    expect(seen.text).toContain('line: total += item.price;');
    expect(seen.text).toContain('  item = { price: 10 }');
    expect(seen.text).toContain('  total = 0');
    expect(seen.text).toContain(`at post (${app.ordersUrl}:8:`);
    const other = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(other.text).toContain('Removed: it has its 1 hits.');
  });

  it('is taken off every worker after its hits', async () => {
    const { workers, set, call } = await openAppTools(transport, { count: 2 });
    const id = await set('inspector_snapshot', { ...LOOP, hits: 2 });
    for (const worker of workers) expect(await worker.request('post', GOOD)).toEqual({ value: 27 });
    const { data, text } = await call('inspector_read_hits', { id, after: 1, waitMs: 2000 });
    expect(Object(data).hits).toHaveLength(1);
    expect(text).toContain('Removed: it has its 2 hits.');
    expect((await call('inspector_status')).text).not.toContain('bound at');
  });

  it('changes nothing: V8 refuses', async () => {
    const { workers, set, call } = await openAppTools(transport);
    const expressions = ['this.discount = 1', 'items.push(1)', '(() => { while (true) {} })()', 'nowhere'];
    const id = await set('inspector_snapshot', { ...LOOP, expressions, hits: 1 });
    expect(await workers[0]!.request('post', GOOD)).toEqual({ value: 27 });
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain('this.discount = 1 = <refused by V8');
    expect(text).toContain('items.push(1) = <refused by V8');
    expect(text).toContain('(() => { while (true) {} })() = <took too long and was stopped>');
    expect(text).toContain('nowhere = <threw ReferenceError: nowhere is not defined>');
  });

  it('follows a worker that is replaced', async () => {
    const { workers, set, call, replace } = await openAppTools(transport);
    const id = await set('inspector_snapshot', { ...LOOP, hits: 2 });
    await workers[0]!.request('post', { items: [{ price: 1 }] });
    await call('inspector_read_hits', { id, waitMs: 2000 });
    await replace(0);
    expect((await call('inspector_status')).text).toContain('bound at');
    await workers[0]!.request('post', { items: [{ price: 2 }] });
    const { text } = await call('inspector_read_hits', { id, after: 1, waitMs: 2000 });
    expect(text).toContain('item = { price: 2 }');
    expect(text).toContain(`(thread ${workers[0]!.threadId})`);
  });

  it('finds the workers that come by itself', async () => {
    const { workers, set, call, replace } = await openAppTools(transport, { limits: { followMs: 5 } });
    const id = await set('inspector_snapshot', { ...LOOP, hits: 1 });
    await replace(0);
    // Requests go on until one of them is seen; nothing but the timer places it here.
    const { data } = await Promise.race([
      call('inspector_read_hits', { id, waitMs: 5000 }),
      (async () => {
        for (;;) await workers[0]!.request('post', GOOD);
      })(),
    ]);
    expect(Object(data).hits).toHaveLength(1);
  });

  it('gives up where the code is hot, and says why', async () => {
    const { workers, set, call } = await openAppTools(transport, { limits: { hitsPerSecond: 3 } });
    const id = await set('inspector_snapshot', { ...LOOP, hits: 50 });
    expect(await workers[0]!.request('post', GOOD, 1000)).toEqual({ value: 27 });
    await call('inspector_read_hits', { id, after: 49, waitMs: 2000 });
    const { data, text } = await call('inspector_read_hits', { id });
    expect(Object(data).hits.length).toBeLessThan(50);
    expect(text).toContain('Removed: the code was reached more than 3 times within a second.');
  });

  it('gives up when it has made a worker stand still long enough', async () => {
    const { workers, set, call } = await openAppTools(transport, {
      limits: { hitsPerSecond: 50, pauseMs: 1, snapshotMs: 20 },
    });
    const expressions = ['(() => { while (true) {} })()'];
    const id = await set('inspector_snapshot', { ...LOOP, expressions, hits: 50 });
    await workers[0]!.request('post', GOOD, 10);
    const { text } = await call('inspector_read_hits', { id, after: 1, waitMs: 1000 });
    expect(text).toContain('Removed: it had made a worker stand still for 1 ms in all.');
  });

  it('reads plain paths without running code, and evaluates what is in parentheses', async () => {
    const { workers, set, call } = await openAppTools(transport);
    const expected = {
      'items.length': '1',
      'body.seen.size': '1',
      'item.price': '10',
      'item.none': 'undefined',
      'item.none.price': "<threw TypeError: Cannot read properties of undefined (reading 'price')>",
      'this.constructor.name': '"Orders"',
      crypto: '[Getter]',
      '(this.discount)': '0.1',
    };
    const id = await set('inspector_snapshot', { ...LOOP, expressions: Object.keys(expected), hits: 1 });
    await workers[0]!.request('post', { items: [{ price: 10 }], seen: new Map([[1, 2]]) });
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    const lines = Object.entries(expected).map(([name, value]) => `${name} = ${value}`);
    expect(text).toContain(lines.join('\n'));
  });

  it('calls nothing that the application taught JSON', async () => {
    const { workers, set, call } = await openAppTools(transport);
    const spoil =
      'void Object.defineProperty(Object.prototype, "toJSON", { value: () => (globalThis.asked = 1) })';
    await call('inspector_evaluate', { workerIndex: 0, expression: spoil, sideEffects: true });
    const id = await set('inspector_snapshot', { ...LOOP, expressions: ['item.price'], hits: 1 });
    await workers[0]!.request('post', GOOD);
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain('item.price = 10');
    expect(text).toContain('  item = { price: 10 }');
    const asked = await call('inspector_evaluate', { workerIndex: 0, expression: 'typeof globalThis.asked' });
    expect(asked.text).toContain('"undefined"');
  });

  it('masks what is secret in the environment of the worker', async () => {
    const secret = 'sk-not-the-same-0123456789abcdef';
    const { workers, set, call } = await openAppTools(transport, { env: { APP_TOKEN: secret } });
    const id = await set('inspector_snapshot', {
      ...LOOP,
      expressions: ['process.env.APP_TOKEN', 'JSON.stringify(body)', '"x".repeat(1e6) + body'],
      hits: 1,
    });
    await workers[0]!.request('post', { items: [{ price: 1, secret, list: [`a ${secret} b`] }] });
    const { text, data } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain('process.env.APP_TOKEN = "[[redacted]]"');
    expect(text).toContain('a [[redacted]] b');
    expect(`${text}${JSON.stringify(data)}`).not.toContain('0123456789');
  });

  it('says when nothing is bound, and what may have been meant', async () => {
    const { call, app } = await openAppTools(transport);
    for (const path of [
      'Orders/resources.js',
      'resources.js',
      'orders/Resources.js',
      'orders/resources.ts',
    ]) {
      const { text } = await call('inspector_snapshot', { path, line: 3 });
      expect(text).toContain('NOT bound: no loaded script is file:');
      expect(text).toContain(`Loaded scripts with that name: ${app.ordersUrl}`);
    }
    const { text } = await call('inspector_snapshot', { ...LOOP, line: 99_999 });
    expect(text).toMatch(
      /NOT bound: .*orders\/resources\.js has no code at or after line 99999; it has 18 lines/,
    );
    const moved = await call('inspector_snapshot', { ...LOOP, line: 1 });
    expect(moved.text).toMatch(/bound at .*resources\.js:\d+:\d+ \(line 1 has no code of its own\)/);
  });

  it('lets go of all when the session ends or the tools close, and the workers run on', async () => {
    const { workers, set, call, provider } = await openAppTools(transport, { count: 2 });
    await set('inspector_snapshot', { ...LOOP, hits: 50 });
    await set('inspector_snapshot', { ...LOOP, hits: 50 }, { sessionId: 's2' });
    await provider.sessionEnded?.('s1');
    expect((await call('inspector_status')).text).not.toContain('snapshot');
    expect((await call('inspector_status', {}, { sessionId: 's2' })).text).toContain('bound at');
    await provider.close();
    for (const worker of workers) {
      expect(await worker.request('post', GOOD)).toEqual({ value: 27 });
      await worker.terminate();
    }
  });
});
