import { createMemoryStore } from '@harperfast/agent-core';
import type { SessionStore } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { sessionStoreChecks } from '../../src/conformance/describe-session-store.js';
import type { OpenedStore } from '../../src/conformance/describe-session-store.js';
import { failingChecks } from './failing-checks.js';
import { allHeaders } from './store-fault.js';
import type { StoreFault } from './store-fault.js';
import { storeReadingFaults } from './store-reading-faults.js';
import { storeWritingFaults } from './store-writing-faults.js';

describe('describeSessionStore', () => {
  it('finds no fault in the memory store', async () => {
    expect(await failing(() => ({}))).toEqual([]);
  });

  it.each([...storeWritingFaults, ...storeReadingFaults])(
    'notices a store that %s',
    async (_fault, noticedBy, spoil) => {
      expect(await failing(spoil, noticedBy)).toEqual([noticedBy]);
    },
  );

  it('notices a store that forgets its entries when it is opened again', async () => {
    const noticedBy = 'has everything when it is opened again, and goes on from there';
    const failed = await failing(
      () => ({}),
      noticedBy,
      async (store) => {
        const spoiled = createMemoryStore();
        for (const header of (await allHeaders(store)).reverse()) await spoiled.create({ ...header, seq: 0 });
        return spoiled;
      },
    );
    expect(failed).toEqual([noticedBy]);
  });
});

function failing(
  spoil: StoreFault[2],
  only?: string,
  reopen = async (store: SessionStore): Promise<SessionStore> => store,
): Promise<string[]> {
  const open = async (): Promise<OpenedStore> => {
    const base = createMemoryStore();
    const store = { ...base, ...spoil(base) };
    return { store, reopen: () => reopen(store), close: async () => undefined };
  };
  return failingChecks(sessionStoreChecks, open, (opened) => opened.close(), only);
}
