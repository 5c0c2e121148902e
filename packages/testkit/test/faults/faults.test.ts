import { describe, expect, it } from 'vitest';
import { failNth } from '../../src/faults/fail-nth.js';
import { faulty } from '../../src/faults/faulty.js';
import { hangUntilAborted } from '../../src/faults/hang-until-aborted.js';
import { holdNth } from '../../src/faults/hold-nth.js';

/** A target whose methods only work on the real object. */
class Counter {
  readonly name = 'counter';
  #count = 0;
  async add(by: number, _options?: { readonly signal: AbortSignal }): Promise<number> {
    return (this.#count += by);
  }
  count(): number {
    return this.#count;
  }
}

describe('faulty', () => {
  it('leaves everything else to the target', async () => {
    const counter = faulty(new Counter(), {});
    expect(await counter.add(2)).toBe(2);
    expect([counter.name, counter.count(), counter instanceof Counter]).toEqual(['counter', 2, true]);
  });

  it('gives a fault the call, its number and its arguments', async () => {
    const seen: unknown[] = [];
    const counter = faulty(new Counter(), {
      add({ nth, args, proceed }) {
        seen.push([nth, ...args]);
        return proceed();
      },
    });
    await counter.add(5);
    expect(await counter.add(6)).toBe(11);
    expect(seen).toEqual([
      [1, 5],
      [2, 6],
    ]);
  });
});

describe('failNth', () => {
  it('fails that call without making it', async () => {
    const error = new Error('disk full');
    const counter = faulty(new Counter(), { add: failNth(2, error) });
    await counter.add(1);
    await expect(counter.add(1)).rejects.toBe(error);
    expect(await counter.add(1)).toBe(2);
  });

  it('has an error of its own', async () => {
    await expect(faulty(new Counter(), { add: failNth(1) }).add(1)).rejects.toThrow(
      'Call 1 fails, as injected',
    );
  });
});

describe('holdNth', () => {
  it('holds that call until it is released', async () => {
    const hold = holdNth(2);
    const counter = faulty(new Counter(), { add: hold.fault });
    await counter.add(1);
    const held = counter.add(10);
    await hold.arrived;
    await counter.add(100);
    expect(counter.count()).toBe(101);
    hold.release();
    expect(await held).toBe(111);
  });
});

describe('hangUntilAborted', () => {
  it('rejects with the reason of the signal it finds in the arguments, and makes no call', async () => {
    const controller = new AbortController();
    const counter = faulty(new Counter(), { add: hangUntilAborted(1) });
    const hanging = counter.add(1, { signal: controller.signal });
    controller.abort('enough');
    await expect(hanging).rejects.toBe('enough');
    expect(await counter.add(1, { signal: controller.signal })).toBe(1);
  });

  it('rejects at once when the signal is aborted already', async () => {
    const counter = faulty(new Counter(), { add: hangUntilAborted() });
    await expect(counter.add(1, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
  });
});
