import type { SessionHeader, SessionStore, Status } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { OpenedStore } from '../describe-session-store.js';
import { sampleHeader, samplePrompt, START } from './samples.js';

export const listChecks: readonly Check<OpenedStore>[] = [
  {
    name: 'gives an empty page when there is no session',
    async run({ store }) {
      expect(await store.list({ limit: 10 })).toEqual({ items: [] });
    },
  },
  {
    name: 'gives headers, most recently updated first',
    async run({ store }) {
      const headers = [3, 1, 5, 2, 4].map((n) => sampleHeader(`s${n}`, { updatedAt: START + n * 1000 }));
      for (const header of headers) await store.create(header);
      const { items, cursor } = await store.list({ limit: 10 });
      expect(items).toEqual([...headers].sort((a, b) => b.updatedAt - a.updatedAt));
      expect(cursor).toBeUndefined();
    },
  },
  {
    name: 'orders by number, not by the digits',
    async run({ store }) {
      for (const updatedAt of [9, 10, 100, 99_999, 1_000_000])
        await store.create(sampleHeader(`s${updatedAt}`, { updatedAt }));
      const { items } = await store.list({ limit: 10 });
      expect(items.map((item) => item.updatedAt)).toEqual([1_000_000, 99_999, 100, 10, 9]);
    },
  },
  {
    name: 'moves a session to the front when it is updated, and shows it once, as it is now',
    async run({ store }) {
      for (const n of [1, 2, 3]) await store.create(sampleHeader(`s${n}`, { updatedAt: START + n }));
      const updated = sampleHeader('s1', { seq: 1, updatedAt: START + 10, status: 'running' });
      await store.append('s1', 0, [samplePrompt(1)], updated);
      const { items } = await store.list({ limit: 10 });
      expect(items.map((item) => item.id)).toEqual(['s1', 's3', 's2']);
      expect(items[0]).toEqual(updated);
    },
  },
  {
    name: 'pages through all of them, each once, in full pages',
    async run({ store }) {
      for (let n = 0; n < 23; n++) await store.create(sampleHeader(`s${n}`, { updatedAt: START + n }));
      const pages = await pagesOf(store, 5);
      expect(pages.slice(0, 4).map((page) => page.length)).toEqual([5, 5, 5, 5]);
      expect(pages.flat().map((item) => item.id)).toEqual(Array.from({ length: 23 }, (_, n) => `s${22 - n}`));
    },
  },
  {
    name: 'pages through sessions updated in the same millisecond, each once',
    async run({ store }) {
      const ids = Array.from({ length: 17 }, (_, n) => `s${n}`);
      for (const id of ids) await store.create(sampleHeader(id));
      for (const limit of [1, 4, 17]) {
        const listed = (await pagesOf(store, limit)).flat().map((item) => item.id);
        expect(listed.toSorted()).toEqual(ids.toSorted());
      }
    },
  },
  {
    name: 'goes on where a page ended, though newer sessions have come since',
    async run({ store }) {
      for (let n = 0; n < 6; n++) await store.create(sampleHeader(`s${n}`, { updatedAt: START + n }));
      const first = await store.list({ limit: 3 });
      for (let n = 6; n < 9; n++) await store.create(sampleHeader(`s${n}`, { updatedAt: START + n }));
      const rest = await store.list({
        limit: 3,
        ...(first.cursor === undefined ? {} : { cursor: first.cursor }),
      });
      expect([...first.items, ...rest.items].map((item) => item.id)).toEqual([
        's5',
        's4',
        's3',
        's2',
        's1',
        's0',
      ]);
    },
  },
  {
    name: 'goes on where a page ended, though its last session was updated or deleted since',
    async run({ store }) {
      for (let n = 0; n < 6; n++) await store.create(sampleHeader(`s${n}`, { updatedAt: START + n }));
      for (const change of ['update', 'delete']) {
        const { items, cursor = '' } = await store.list({ limit: 2 });
        const last = items.at(-1)?.id ?? '';
        if (change === 'delete') await store.delete(last);
        else
          await store.append(
            last,
            0,
            [samplePrompt(1)],
            sampleHeader(last, { seq: 1, updatedAt: START + 100 }),
          );
        const rest = await store.list({ limit: 10, cursor });
        expect(rest.items.map((item) => item.id)).toEqual(['s3', 's2', 's1', 's0']);
      }
    },
  },
  {
    name: 'filters by status, in full pages, as the status is now',
    async run({ store }) {
      const statuses: readonly Status[] = ['running', 'idle', 'error'];
      for (let n = 0; n < 18; n++) {
        await store.create(
          sampleHeader(`s${n}`, { updatedAt: START + n, status: statuses[n % 3] ?? 'idle' }),
        );
      }
      const changed = sampleHeader('s0', { seq: 1, updatedAt: START + 50, status: 'completed' });
      await store.append('s0', 0, [samplePrompt(1)], changed);
      const pages = await pagesOf(store, 2, 'running');
      expect(pages[0]?.length).toBe(2);
      expect(pages.flat().map((item) => item.id)).toEqual(['s15', 's12', 's9', 's6', 's3']);
      expect((await store.list({ limit: 10, status: 'completed' })).items).toEqual([changed]);
      expect(await store.list({ limit: 10, status: 'aborted' })).toEqual({ items: [] });
    },
  },
];

/** Every page, in order; gives up on cursors that never end. */
async function pagesOf(
  store: SessionStore,
  limit: number,
  status?: Status,
): Promise<(readonly SessionHeader[])[]> {
  const pages: (readonly SessionHeader[])[] = [];
  const query = { limit, ...(status === undefined ? {} : { status }) };
  let page = await store.list(query);
  for (let asked = 1; asked < 100; asked++) {
    expect(page.items.length).toBeLessThanOrEqual(limit);
    if (page.items.length > 0) pages.push(page.items);
    if (page.cursor === undefined) return pages;
    page = await store.list({ ...query, cursor: page.cursor });
  }
  return expect.fail('The hundredth page still has a cursor');
}
