import { describe, expect, it } from 'vitest';
import { inTurn } from '../../src/changes/in-turn.js';

const never = new AbortController().signal;

describe('inTurn', () => {
  it('runs work of one key one after the other, in order, whatever fails', async () => {
    const log: string[] = [];
    const work = (name: string, fails = false) =>
      inTurn('k', never, async () => {
        log.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([work('a'), work('b', true), work('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('lets other keys pass, and a wait end by its signal without losing a turn', async () => {
    let free = (): void => undefined;
    const first = inTurn('k', never, () => new Promise<void>((resolve) => (free = resolve)));
    expect(await inTurn('other', never, async () => 'passed')).toBe('passed');
    const stop = new AbortController();
    const waiting = inTurn('k', stop.signal, async () => 'never');
    const last = inTurn('k', never, async () => 'last');
    stop.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    free();
    await first;
    expect(await last).toBe('last');
  });
});
