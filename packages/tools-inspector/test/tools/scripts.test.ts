import { describe, expect, it } from 'vitest';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';
import { ORDERS } from '../support/start-app.js';

const WORKER = { workerIndex: 0 };

describe.each(TRANSPORTS)('inspector_scripts, %s', (transport) => {
  it("lists what was loaded, Node's own only when asked for", async () => {
    const { call, app } = await openAppTools(transport);
    const { text } = await call('inspector_scripts', WORKER);
    expect(text).toContain(app.ordersUrl);
    expect(text).not.toContain('node:');
    expect((await call('inspector_scripts', { ...WORKER, find: 'node:internal' })).text).toContain(
      'node:internal',
    );
    expect((await call('inspector_scripts', { ...WORKER, find: 'nothing-has-this' })).text).toContain(
      '0 scripts',
    );
  });

  it('shows the source around a line', async () => {
    const { call, app } = await openAppTools(transport);
    const input = { ...WORKER, path: 'orders/resources.js', line: 8, around: 1 };
    expect((await call('inspector_scripts', input)).text.split('\n').slice(1)).toEqual([
      `    7   ${'    for (const item of items) {'}`,
      `    8 > ${'      total += item.price;'}`,
      `    9   ${'    }'}`,
    ]);
    await expect(call('inspector_scripts', { ...input, line: 99 })).rejects.toThrow(
      'has 18 lines, and no line 99',
    );
    await expect(call('inspector_scripts', { ...input, path: 'resources.js' })).rejects.toThrow(
      `Loaded scripts with that name: ${app.ordersUrl}`,
    );
  });
});

describe('a script of many megabytes', () => {
  it('is not fetched, and hits in it are recorded without the line', async () => {
    const source = `${ORDERS}/* ${'x'.repeat(4_000_000)} */\n`;
    const { workers, set, call } = await openAppTools('in-process', { source });
    const place = { path: 'orders/resources.js', line: 8 };
    await expect(call('inspector_scripts', { ...WORKER, ...place })).rejects.toThrow('are not read');
    const id = await set('inspector_snapshot', { ...place, hits: 1 });
    await workers[0]!.request('post', { items: [{ price: 1 }] });
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain('item = { price: 1 }');
    expect(text).not.toContain('line:');
  });
});

describe('a file with an odd name', () => {
  it.each(['orders/ü b#c%20[d].js', 'orders/日本.js', "orders/it's (1).js"])('%s is found', async (file) => {
    const { workers, set, call } = await openAppTools('in-process', { file });
    const id = await set('inspector_snapshot', { path: file, line: 8, hits: 1 });
    await workers[0]!.request('post', { items: [{ price: 1 }] });
    const { data } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(Object(data).hits).toHaveLength(1);
  });
});
