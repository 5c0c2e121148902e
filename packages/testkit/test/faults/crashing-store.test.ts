import { createMemoryStore } from '@harperfast/agent-core';
import { describe, expect, it } from 'vitest';
import { sampleHeader, samplePrompt } from '../../src/conformance/session-store/samples.js';
import { crashingStore } from '../../src/faults/crashing-store.js';
import { faulty } from '../../src/faults/faulty.js';
import { holdNth } from '../../src/faults/hold-nth.js';

async function life(lastAppend: 'lost' | 'written') {
  const crashing = crashingStore(createMemoryStore(), { afterAppends: 2, lastAppend });
  const { store } = crashing;
  await store.create(sampleHeader('s1'));
  for (const seq of [1, 2])
    await store.append('s1', seq - 1, [samplePrompt(seq)], sampleHeader('s1', { seq }));
  const third = store.append('s1', 2, [samplePrompt(3)], sampleHeader('s1', { seq: 3 }));
  await expect(third).rejects.toThrow('The process has crashed, as injected');
  await crashing.crashed;
  return crashing;
}

describe('crashingStore', () => {
  it('loses the append that meets the crash, and nothing before it', async () => {
    const restarted = await (await life('lost')).restart();
    expect(await restarted.load('s1')).toMatchObject({
      header: { seq: 2 },
      entries: [{ seq: 1 }, { seq: 2 }],
    });
  });

  it('or writes it without telling anyone', async () => {
    const restarted = await (await life('written')).restart();
    expect(await restarted.load('s1')).toMatchObject({
      header: { seq: 3 },
      entries: [{ seq: 1 }, { seq: 2 }, { seq: 3 }],
    });
  });

  it('does nothing more for the process that died, and everything for the next', async () => {
    const crashing = await life('lost');
    const { store } = crashing;
    const header = sampleHeader('s1', { seq: 3 });
    const dead = [
      store.append('s1', 2, [samplePrompt(3)], header),
      store.create(sampleHeader('s2')),
      store.load('s1'),
      store.read('s1', { after: 0, limit: 1 }),
      store.list({ limit: 1 }),
      store.delete('s1'),
    ];
    expect((await Promise.allSettled(dead)).map((outcome) => outcome.status)).toEqual(
      Array(6).fill('rejected'),
    );
    const restarted = await crashing.restart();
    expect((await restarted.list({ limit: 10 })).items.map((item) => item.id)).toEqual(['s1']);
    await restarted.append('s1', 2, [samplePrompt(3)], header);
    expect((await restarted.load('s1'))?.header.seq).toBe(3);
  });

  it('waits for what is being written when the process is ended from outside', async () => {
    const hold = holdNth(1);
    const crashing = crashingStore(faulty(createMemoryStore(), { create: hold.fault }), {
      afterAppends: 99,
      lastAppend: 'lost',
    });
    const created = crashing.store.create(sampleHeader('s1'));
    await hold.arrived;
    const restarting = crashing.restart();
    hold.release();
    await expect(created).rejects.toThrow('The process has crashed');
    expect(await (await restarting).load('s1')).toMatchObject({ entries: [] });
  });
});
