import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lineMap } from '../support/line-map.js';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';
import { ORDERS } from '../support/start-app.js';

const LINES = 20;
/** Line 8 of what is loaded, `total += item.price`, is line 18 here. */
const ORIGINAL = { path: 'orders/src/orders.ts', line: 18 };
const MAP = lineMap('src/orders.ts', LINES, 10);
const INLINE = `data:application/json;charset=utf-8;base64,${Buffer.from(MAP).toString('base64')}`;
const GOOD = { items: [{ price: 10 }] };

const withMap = (url: string) => `${ORDERS}//# sourceMappingURL=${url}\n`;

describe.each(TRANSPORTS)('a script made from another file, %s', (transport) => {
  it.each(['inline', 'file'])(
    'is found by that file and its lines, which hits show too (%s)',
    async (where) => {
      const url = where === 'inline' ? INLINE : 'resources.js.map';
      const { app, workers, set, call, replace } = await openAppTools(transport, { source: withMap(url) });
      if (where === 'file') await writeFile(join(app.root, 'orders/resources.js.map'), MAP);
      const both = `${app.ordersUrl.replace('resources.js', 'src/orders.ts')}:18:1, loaded as ${app.ordersUrl}:8:`;
      const { text } = await call('inspector_snapshot', ORIGINAL);
      expect(text).toContain(`bound at ${both}`);
      expect(text).not.toContain('has no code of its own');
      await workers[0]!.request('post', GOOD);
      const hit = (await call('inspector_read_hits', { id: 'p1', waitMs: 2000 })).text;
      expect(hit).toContain(`at post (${both}`);
      expect(hit).toContain('item = { price: 10 }');
      await replace(0);
      expect((await call('inspector_status')).text).toContain(`bound at ${both}`);
      await workers[0]!.request('post', GOOD);
      expect((await call('inspector_read_hits', { id: 'p1', after: 1, waitMs: 2000 })).text).toContain(
        'Hit 2',
      );

      const id = await set('inspector_catch_exceptions', { caught: true, within: 'orders', hits: 1 });
      await workers[0]!.request('post', {});
      expect((await call('inspector_read_hits', { id, waitMs: 2000 })).text).toContain(
        'src/orders.ts:17:1, loaded as',
      );
    },
  );
});

describe('a script made from another file', () => {
  it('stops there, and says both places', async () => {
    const { workers, set, call } = await openAppTools('in-process', { source: withMap(INLINE) });
    await set('inspector_set_breakpoint', ORIGINAL);
    const answered = workers[0]!.request('post', GOOD);
    expect((await call('inspector_paused', { waitMs: 2000 })).text).toContain(
      'src/orders.ts:18:1, loaded as',
    );
    await call('inspector_remove_breakpoint', { id: 'p1' });
    await call('inspector_resume', { workerIndex: 0 });
    expect(await answered).toEqual({ value: 9 });
  });

  it('is shown as it is loaded, at the line that comes from the one asked for', async () => {
    const { app, call } = await openAppTools('in-process', { source: withMap(INLINE) });
    const input = { workerIndex: 0, ...ORIGINAL, around: 0 };
    const { text } = await call('inspector_scripts', input);
    expect(text).toContain(`${app.ordersUrl} on worker 0`);
    expect(text).toContain('line 8 comes from');
    expect(text).toContain('    8 >       total += item.price;');
    expect((await call('inspector_scripts', { workerIndex: 0, find: 'orders' })).text).toContain(
      '(made from other files',
    );
    const loaded = { workerIndex: 0, path: 'orders/resources.js', line: 8, around: 0 };
    expect((await call('inspector_scripts', loaded)).text).toContain('src/orders.ts:18:1');
    await expect(call('inspector_scripts', { ...input, line: 500 })).rejects.toThrow('has no code for');
  });

  it('is found when it is loaded after something was set', async () => {
    const source = `export class Orders {
  async post({ url }) {
    const { late } = await import(url);
    return late;
  }
  async run({ url }) {
    return (await import(url)).run();
  }
}
`;
    const { app, workers, call } = await openAppTools('in-process', { source });
    const late = join(app.root, 'orders/late.js');
    const code = 'export const late = 1;\nexport function run() {\n  return late;\n}\n';
    const inline = Buffer.from(lineMap('late.ts', 4, 2)).toString('base64');
    await writeFile(late, `${code}//# sourceMappingURL=data:application/json;base64,${inline}\n`);
    const { text } = await call('inspector_snapshot', { path: 'orders/late.ts', line: 5 });
    expect(text).toContain('NOT bound');
    const body = { url: pathToFileURL(late).href };
    expect(await workers[0]!.request('post', body)).toEqual({ value: 1 });
    await vi.waitFor(async () =>
      expect((await call('inspector_status')).text).toMatch(
        /bound at file:.*late\.ts:5:1, loaded as file:.*late\.js:3:/,
      ),
    );
    expect(await workers[0]!.request('run', body)).toEqual({ value: 1 });
    expect((await call('inspector_read_hits', { id: 'p1', waitMs: 2000 })).text).toContain(
      'line: return late;',
    );
  });

  it('says where the source map has no such line, and names files with that name', async () => {
    const { call } = await openAppTools('in-process', { source: withMap(INLINE) });
    expect((await call('inspector_snapshot', { ...ORIGINAL, line: 500 })).text).toContain(
      'NOT bound: the source maps have no code for line 500',
    );
    expect((await call('inspector_snapshot', { path: 'orders.ts', line: 1 })).text).toMatch(
      /NOT bound: .*Loaded scripts with that name: file:.*src\/orders\.ts/,
    );
  });

  it.each([
    'data:application/json,{"version":3',
    'data:application/json,%E0%A4%A',
    'data:application/json,7',
    'https://maps.invalid/a.map',
    'missing.map',
    'OUTSIDE/outside.map',
    'link.map',
    'large.map',
  ])('is itself where its source map is of no use: %s', async (url) => {
    const outside = await mkdtemp(join(tmpdir(), 'inspector-outside-'));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    const source = withMap(url.replace('OUTSIDE', pathToFileURL(outside).href));
    const { app, workers, set, call } = await openAppTools('in-process', { source });
    const original = pathToFileURL(join(app.root, ORIGINAL.path)).href;
    await writeFile(join(outside, 'outside.map'), lineMap(original, LINES, 10));
    await symlink(join(outside, 'outside.map'), join(app.root, 'orders/link.map'));
    if (url === 'large.map')
      await writeFile(join(app.root, 'orders', url), MAP + ' '.repeat(8 * 1024 * 1024));
    expect((await call('inspector_snapshot', ORIGINAL)).text).toContain('NOT bound');
    const id = await set('inspector_snapshot', { path: 'orders/resources.js', line: 8, hits: 1 });
    await workers[0]!.request('post', GOOD);
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain(`at post (${app.ordersUrl}:8:`);
    expect(text).not.toContain('loaded as');
  });
});

describe('a file whose types were blanked', () => {
  it('keeps its lines', async () => {
    const types = 'interface Body {\n  items: Item[];\n}\n';
    const source = types + ORDERS.replace('post(body)', 'post(body: Body)');
    const file = 'orders/resources.ts';
    const { app, workers, set, call } = await openAppTools('in-process', { file, source });
    const line = 11;
    const { text } = await call('inspector_snapshot', { path: file, line });
    expect(text).toContain(`bound at ${app.ordersUrl}:${line}:`);
    const id = await set('inspector_snapshot', { path: file, line, hits: 1 });
    expect(await workers[0]!.request('post', GOOD)).toEqual({ value: 9 });
    const hit = (await call('inspector_read_hits', { id, waitMs: 2000 })).text;
    expect(hit).toContain('line: total += item.price;');
    expect(hit).toContain(`at post (${app.ordersUrl}:${line}:`);
  });
});
