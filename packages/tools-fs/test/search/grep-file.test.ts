import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileMatches, grepFile } from '../../src/search/grep-file.js';
import { createLineMatcher } from '../../src/search/line-matcher.js';
import type { Withheld } from '../../src/search/show-lines.js';

/** Searches a text through a buffer so small that most lines lie across a border. */
function search(
  text: string | Buffer,
  pattern: string,
  context: number,
  bufferBytes = 64,
): FileMatches | Withheld {
  const matcher = createLineMatcher({ pattern, literal: false, ignoreCase: false });
  const grep = { matcher, show: 'lines', context, forms: [], late: () => false } as const;
  const folder = mkdtempSync(join(tmpdir(), 'grep-file-'));
  writeFileSync(join(folder, 'file'), text);
  const descriptor = openSync(join(folder, 'file'), 'r');
  try {
    return grepFile(descriptor, Buffer.alloc(bufferBytes), grep, { matches: 1000, bytes: 1e6 });
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
}

describe('grepFile', () => {
  it('reads only the start of a binary file, however much there is of it', () => {
    const zeros = Buffer.alloc(10_000);
    expect(search(Buffer.concat([Buffer.from('hit\n'), zeros]), 'hit', 0)).toBe('binary');
    expect(search(Buffer.concat([zeros, Buffer.from('hit\n')]), 'hit', 0)).toMatchObject({ matches: 0 });
    const late = Buffer.from(`${'word\n'.repeat(2_000)}hit\n\0\0`);
    expect(search(late, 'hit', 0)).toMatchObject({ matches: 1 });
  });

  it('finds the same lines however small its buffer', () => {
    const lines = fc.array(
      fc
        .array(fc.constantFrom('a', 'b ', 'hit', '€', 'word'), { maxLength: 8 })
        .map((parts) => parts.join('')),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(lines, fc.boolean(), fc.constantFrom(0, 2), (parts, ended, context) => {
        const text = parts.join('\n') + (ended ? '\n' : '');
        const all = text.split('\n');
        if (all.at(-1) === '') all.pop();
        const found = search(text, 'hit', context);
        const near = (index: number) =>
          all.slice(Math.max(0, index - context), index + context + 1).some((line) => line.includes('hit'));
        const expected = all.flatMap((line, index) =>
          near(index) ? [{ number: index + 1, text: line, match: line.includes('hit') }] : [],
        );
        expect(found).toMatchObject({ matches: expected.filter(({ match }) => match).length });
        expect(
          typeof found === 'object' &&
            found.lines.map(({ number, text, match }) => ({ number, text, match })),
        ).toEqual(expected);
      }),
      { numRuns: Number(process.env['FS_FUZZ_RUNS'] ?? 200) },
    );
  });

  it('shows nothing of a private key beside a match, before or behind the buffer', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'TUlJRXZRSUJBREFO\n'.repeat(20)}-----END PRIVATE KEY-----\n`;
    const far = 'line\n'.repeat(8_000);
    for (const text of [`${key}hit\n`, `hit\n${key}`, `hit\nline\n${key}`]) {
      expect(search(far + text + far, 'hit', 10)).toBe('key');
    }
    expect(search(`${key}${far}hit\n${far}${key}`, 'hit', 2)).toBe('key');
  }, 600_000);

  it('answers the same whether a pattern fits a key or not', () => {
    const text = 'hit\n-----BEGIN PRIVATE KEY-----\nMIIEvQIB\n-----END PRIVATE KEY-----\n';
    for (const guess of ['MIIEv', 'MIIEx']) expect(search(text, guess, 10)).toBe('key');
  });

  it('shows a line beside a match whole, in part and said so, or not at all', () => {
    const found = search(`${'x'.repeat(60_000)}\nhit\n${'y'.repeat(60_000)}\n`, 'hit', 1, 256 * 1024);
    expect(
      typeof found === 'object' && found.lines.map(({ text, cut }) => [text.slice(0, 3), text.length, cut]),
    ).toEqual([
      ['hit', 3, false],
      ['yyy', 500, true],
    ]);
  });
});
