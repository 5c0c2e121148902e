import { holdNth, failNth, faulty } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/index.js';
import type { Entry, EntryDraft, SessionStore } from '../../src/index.js';
import { toHeader } from '../../src/session/header.js';
import { createJournal } from '../../src/session/journal.js';
import { emptySession } from '../../src/session/state.js';

const prompt = (messageId: string): EntryDraft => ({
  kind: 'prompt',
  messageId,
  text: messageId,
  source: 'operator',
  by: 'admin',
});

async function openJournal(store: SessionStore) {
  const state = emptySession({ id: 's1', user: 'admin', createdAt: 1, delimiter: 'output-x' });
  await store.create(toHeader(state));
  return createJournal({ store, state, now: () => 2 });
}

/** A store that notes the seqs of every append. */
function recording(appends: number[][]): SessionStore {
  return faulty(createMemoryStore(), {
    append({ args, proceed }) {
      appends.push((args[2] as readonly Entry[]).map(({ seq }) => seq));
      return proceed();
    },
  });
}

describe('a journal', () => {
  it('moves its head at once and its durable state with the store', async () => {
    const journal = await openJournal(createMemoryStore());
    const written = journal.append(prompt('a'), prompt('b'));
    expect(journal.head.seq).toBe(2);
    expect(journal.durable.seq).toBe(0);
    await written;
    expect(journal.durable).toBe(journal.head);
  });

  it('writes what was appended during a write with the next one, in order', async () => {
    const store = createMemoryStore();
    const hold = holdNth(1);
    const appends: number[][] = [];
    const journal = await openJournal(
      faulty(store, {
        append: (call) => {
          appends.push((call.args[2] as readonly Entry[]).map((entry) => entry.seq));
          return hold.fault(call);
        },
      }),
    );
    const first = journal.append(prompt('a'));
    await hold.arrived;
    const second = journal.append(prompt('b'));
    const third = journal.append(prompt('c'));
    hold.release();
    await Promise.all([first, second, third]);
    expect(appends).toEqual([[1], [2, 3]]);
    expect((await store.load('s1'))?.entries.map((entry) => entry.seq)).toEqual([1, 2, 3]);
  });

  it('writes what nobody waits for together with what is appended next', async () => {
    const appends: number[][] = [];
    const journal = await openJournal(recording(appends));
    journal.appendSoon(prompt('a'));
    expect(journal.head.seq).toBe(1);
    await journal.append(prompt('b'));
    expect(appends).toEqual([[1, 2]]);
  });

  it('writes what nobody waits for when nothing is appended after it, and when all is to be flushed', async () => {
    const appends: number[][] = [];
    const journal = await openJournal(recording(appends));
    const moved = new Promise<void>((resolve) => journal.onDurable(resolve));
    journal.appendSoon(prompt('a'));
    await moved;
    expect(journal.durable.seq).toBe(1);
    journal.appendSoon(prompt('b'));
    await journal.flushed();
    expect(appends).toEqual([[1], [2]]);
  });

  it('accepts nothing more after a failed write, and says why to all who wait', async () => {
    const journal = await openJournal(
      faulty(createMemoryStore(), { append: failNth(1, new Error('disk full')) }),
    );
    const first = journal.append(prompt('a'));
    await expect(first).rejects.toThrow('disk full');
    await expect(journal.append(prompt('b'))).rejects.toThrow('disk full');
    journal.appendSoon(prompt('c'));
    await expect(journal.flushed()).rejects.toThrow('disk full');
    expect(journal.durable.seq).toBe(0);
    expect(journal.head.seq).toBe(1);
  });

  it('rejects nothing that nobody waits for', async () => {
    const journal = await openJournal(
      faulty(createMemoryStore(), { append: failNth(1, new Error('disk full')) }),
    );
    void journal.append(prompt('a'));
    await expect(journal.flushed()).rejects.toThrow('disk full');
  });
});
