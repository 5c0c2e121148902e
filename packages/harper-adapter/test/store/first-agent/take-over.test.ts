import type { Entry } from '@harperfast/agent-core';
import { openTables } from '@harperfast/agent-testkit/host';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTableStore } from '../../../src/store/open-table-store.js';
import { hostTables } from '../../support/host-tables.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const row = {
  session_id: 'old',
  user: 'alice',
  status: 'completed',
  messages: [{ role: 'user', content: 'hello', createdAt: 1 }],
  createdAt: 1,
  updatedAt: 2,
};

describe('takeOver and remove', () => {
  /** A store in which whoever redacts first waits until `release`. */
  async function setUp() {
    const folder = await temporaryFolder();
    const tables = openTables({ path: folder.path });
    onTestFinished(async () => {
      await tables.close();
      await folder.remove();
    });
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    const store = await openTableStore(hostTables(tables), {
      async redact(text) {
        if (calls++ === 0) await gate;
        return text;
      },
      redactOutput: (text) => text,
    });
    await tables.table('system', 'hdb_agent_session').put('old', row);
    return { store, release };
  }

  it('write over nothing that was added after somebody else had taken the session over', async () => {
    const { store, release } = await setUp();
    const slow = store.firstAgent.takeOver('old');
    expect(await store.firstAgent.takeOver('old')).toBe(true);
    const taken = await store.load('old');
    if (taken === undefined) throw new Error('it was not taken over');
    const seq = taken.header.seq + 1;
    const added: Entry = { kind: 'alert', level: 'info', text: 'new', seq, at: 9 };
    await store.append('old', seq - 1, [added], { ...taken.header, seq });
    const before = await store.load('old');

    release();
    expect(await slow).toBe(true);
    expect(await store.load('old')).toEqual(before);
    expect(await store.firstAgent.remove('old')).toBe(false);
    expect(await store.load('old')).toEqual(before);
  });

  it('know nothing of a session that is not there, or is one of this agent already', async () => {
    const { store, release } = await setUp();
    release();
    expect(await store.firstAgent.takeOver('nobody')).toBe(false);
    expect(await store.firstAgent.remove('nobody')).toBe(false);
    expect(await store.firstAgent.takeOver('old')).toBe(true);
    expect(await store.firstAgent.takeOver('old')).toBe(false);
    expect(await store.firstAgent.find('old')).toBeUndefined();
  });
});
