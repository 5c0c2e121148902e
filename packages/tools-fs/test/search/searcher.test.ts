import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSearcher } from '../../src/search/searcher.js';

const secret = { deny: [], forms: ['hunter2-hunter2-hunter2'] };
const searcher = createSearcher(() => secret);
afterAll(() => searcher.close());
const never = new AbortController().signal;

async function area(files: Record<string, string>, milliseconds = 20_000) {
  const self = await mkdtemp(join(tmpdir(), 'searcher-'));
  onTestFinished(() => rm(self, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(self, name), content);
  return { self, hold: 'check', only: undefined, globs: [], everything: false, milliseconds } as const;
}

const grep = {
  literal: false,
  ignoreCase: false,
  show: 'lines',
  context: 0,
  most: 100,
  mostBytes: 32_768,
} as const;
/** Takes about a second of a thread for a megabyte: many states, no fixed text, no end. */
const slow = { ...grep, pattern: '(?:[a-z]{1,40}[0-9]?){1,20}!' };

describe('createSearcher', () => {
  it('lets this thread work while it searches', async () => {
    let turns = 0;
    const running = searcher.grep(
      { ...slow, area: await area({ a: `${'abcdefgh '.repeat(20)}\n`.repeat(200) }) },
      never,
    );
    let done = false;
    void running.finally(() => (done = true));
    while (!done) {
      await turn();
      turns++;
    }
    expect((await running).searched).toBe(1);
    expect(turns).toBeGreaterThan(50);
  });

  it('ends a search that is cancelled with the reason, and works on', async () => {
    const stop = new AbortController();
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`f${index}`, 'abcdefgh '.repeat(200_000)]),
    );
    const running = searcher.grep({ ...slow, area: await area(files) }, stop.signal);
    stop.abort(new Error('cancelled by the operator'));
    await expect(running).rejects.toThrow('cancelled by the operator');
    const next = await searcher.grep({ ...grep, pattern: 'x', area: await area({ a: 'x' }) }, never);
    expect(next.files.map(({ path }) => path)).toEqual(['a']);
  });

  it('answers what it has when the time is over', async () => {
    const found = await searcher.grep(
      { ...grep, pattern: 'x', area: await area({ a: 'x', b: 'x' }, 0) },
      never,
    );
    expect(found).toMatchObject({ stopped: 'time', searched: 0 });
  });

  it('shows no configured secret, and does not tell whether a pattern fits one', async () => {
    const place = await area({ a: 'token hunter2-hunter2-hunter2 end\n' });
    const shown = await searcher.grep({ ...grep, pattern: 'token', area: place, context: 1 }, never);
    expect(shown.files[0]?.lines[0]?.text).toBe('token [[redacted]] end');
    for (const show of ['lines', 'files', 'counts'] as const) {
      const guessed = await searcher.grep({ ...grep, show, pattern: 'hunter2', area: place }, never);
      expect(guessed.files, `show ${show}`).toEqual([]);
    }
  });

  it('shows no part of a secret that is longer than what is shown of a line', async () => {
    const long = `${'a'.repeat(480)}hit ${'b'.repeat(360)}hunter2-hunter2-hunter2${'c'.repeat(400)}`;
    const shown = await searcher.grep({ ...grep, pattern: 'hit', area: await area({ a: long }) }, never);
    expect(JSON.stringify(shown.files)).toMatch(/b\[\[redacted\]\]"/);
  });

  it('refuses what comes after close', async () => {
    const closed = createSearcher(() => secret);
    await closed.close();
    await expect(closed.grep({ ...grep, pattern: 'x', area: await area({}) }, never)).rejects.toMatchObject({
      code: 'search_ended',
    });
  });
});
