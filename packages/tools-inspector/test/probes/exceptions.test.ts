import { describe, expect, it } from 'vitest';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';

describe.each(TRANSPORTS)('inspector_catch_exceptions, %s', (transport) => {
  it('records what is thrown and caught again, with the variables at the throw', async () => {
    const { workers, set, call, app } = await openAppTools(transport);
    const id = await set('inspector_catch_exceptions', { caught: true, within: 'orders' });
    expect(await workers[0]!.request('post', { items: [{ price: 1 }] })).toEqual({ value: 0.9 });
    expect(await workers[0]!.request('post', { itmes: [] })).toEqual({
      error: 'TypeError: items is not iterable',
    });
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain('thrown: TypeError: items is not iterable');
    expect(text).toContain('line: for (const item of items) {');
    expect(text).toContain('body = { itmes: [] }');
    expect(text).toContain('items = undefined');
    expect(text).toContain(`at post (${app.ordersUrl}:7:`);
  });

  it('sees what an asynchronous function throws', async () => {
    const { workers, set, call } = await openAppTools(transport);
    const id = await set('inspector_catch_exceptions', { caught: true, within: 'orders' });
    expect((await workers[0]!.request('slow', {})).error).toContain('TypeError');
    const { text } = await call('inspector_read_hits', { id, waitMs: 2000 });
    expect(text).toContain("thrown: TypeError: Cannot read properties of undefined (reading 'name')");
  });

  it('leaves out what is caught unless asked, and what others throw', async () => {
    const { workers, set, call } = await openAppTools(transport);
    const uncaught = await set('inspector_catch_exceptions', { within: 'orders' });
    const elsewhere = await set('inspector_catch_exceptions', { caught: true, within: 'payments' });
    await workers[0]!.request('post', {}, 30);
    for (const id of [uncaught, elsewhere]) {
      expect((await call('inspector_read_hits', { id })).text).toContain('No hit.');
    }
  });

  it('ends after its hits, and then nothing is caught any more', async () => {
    const { workers, set, call } = await openAppTools(transport);
    const id = await set('inspector_catch_exceptions', { caught: true, within: 'orders', hits: 2 });
    await workers[0]!.request('post', {}, 500);
    const { text, data } = await call('inspector_read_hits', { id, after: 1, waitMs: 2000 });
    expect(Object(data).hits).toHaveLength(1);
    expect(text).toContain('Removed: it has its 2 hits.');
  });
});
