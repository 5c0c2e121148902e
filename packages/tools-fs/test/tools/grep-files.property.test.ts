import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { descriptorsReachFiles } from '../../src/root/descriptor-folder.js';
import type { Hold } from '../../src/root/folder.js';
import { searchTree } from '../support/search-tree.js';

const holds: Hold[] = (await descriptorsReachFiles()) ? ['descriptor', 'check'] : ['check'];
const numRuns = Number(process.env['FS_FUZZ_RUNS'] ?? 40);

const words = fc.constantFrom('a', 'b', 'A', 'ab', ' ', '.', '€', 'foo', '\r', 'foo.bar', 'x'.repeat(90));
const lines = fc.array(
  fc.array(words, { maxLength: 5 }).map((parts) => parts.join('')),
  { maxLength: 8 },
);
const files = fc.dictionary(
  fc
    .array(fc.constantFrom('d', 'e', 'f.txt', 'g.js'), { minLength: 1, maxLength: 3 })
    .map((parts) => `r/${parts.join('/')}/z`),
  fc.tuple(lines, fc.boolean()).map(([text, ended]) => text.join('\n') + (ended ? '\n' : '')),
  { maxKeys: 6 },
);
const requests = fc.record({
  pattern: fc.constantFrom(
    'a',
    'foo',
    'foo.bar',
    '^a',
    'b$',
    'foo|ab',
    'o{2}',
    '[ab]+ ',
    '€',
    '^$',
    '(a|b)+\\.',
  ),
  literal: fc.boolean(),
  ignoreCase: fc.boolean(),
  context: fc.constantFrom(0, 0, 1, 3),
});
type Request = typeof requests extends fc.Arbitrary<infer R> ? R : never;

/** The same answer, from the whole text at once and with the language's own expressions. */
function naive(
  tree: Readonly<Record<string, string>>,
  { pattern, literal, ignoreCase, context }: Request,
): string[] {
  const expression = new RegExp(
    literal ? pattern.replace(/[$^.|{}()[\]+]/g, '\\$&') : pattern,
    ignoreCase ? 'iu' : 'u',
  );
  const before = (one: string, other: string) =>
    one.split('/').join('\0') < other.split('/').join('\0') ? -1 : 1;
  return Object.keys(tree)
    .toSorted(before)
    .flatMap((path) => {
      const text = tree[path]!.split('\n');
      if (text.at(-1) === '') text.pop();
      const shown = text.map((line) => line.replace(/\r$/, ''));
      const hits = shown.map((line) => expression.test(line));
      return shown.flatMap((line, index) => {
        const near = hits.slice(Math.max(0, index - context), index + context + 1).includes(true);
        const mark = hits[index] === true ? ':' : '-';
        return near ? [`${path}${mark}${index + 1}${mark}${line}`] : [];
      });
    });
}

// Longer than the default only where FS_FUZZ_RUNS asks for more.
vi.setConfig({ testTimeout: 30_000 + numRuns * 200 });

describe.each(holds)('grep_files over any tree, holding folders by %s', (hold) => {
  it('finds what a naive search finds', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(files, requests, async (tree, request) => {
        const { grep } = await searchTree(tree, {}, hold);
        const short = (all: string[]) => all.map((line) => line.slice(0, 300));
        const answer = await grep({ ...request, maxResults: 1000 });
        expect(short(answer)).toEqual(short(naive(tree, request)));
        found += answer.length;
      }),
      { numRuns },
    );
    expect(found).toBeGreaterThan(numRuns);
  });
});

describe('grep_files beside grep', () => {
  it('finds the lines that grep -rn finds', async () => {
    const run = promisify(execFile);
    await fc.assert(
      fc.asyncProperty(files, requests, async (tree, { pattern, literal, ignoreCase }) => {
        const { root, grep } = await searchTree(tree);
        const args = ['-rn', literal ? '-F' : '-E', ...(ignoreCase ? ['-i'] : []), '-e', pattern, '.'];
        const env = { ...process.env, LC_ALL: 'C.UTF-8' };
        const { stdout } = await run('grep', args, { cwd: root, env }).catch(
          (error: { stdout: string }) => error,
        );
        // grep knows no CRLF: what it shows ends in CR where ours does not, and $ does not match before it.
        const clean = (all: string[]) =>
          all
            .filter((line) => !line.includes('\r'))
            .map((line) => line.replace(/^\.\//, '').slice(0, 300))
            .toSorted();
        const ours = await grep({ pattern, literal, ignoreCase, maxResults: 1000 });
        const theirs = stdout.split('\n').filter(Boolean);
        const withReturn = new Set(
          theirs
            .filter((line) => line.includes('\r'))
            .map((line) => line.replace(/^\.\//, '').replace(/\r$/, '')),
        );
        const comparable = ours.filter((line) => !withReturn.has(line) && !endsInReturn(tree, line));
        expect(clean(comparable)).toEqual(clean(theirs));
      }),
      { numRuns },
    );
  });
});

function endsInReturn(tree: Readonly<Record<string, string>>, line: string): boolean {
  const [path = '', number] = line.split(':');
  return tree[path]?.split('\n')[Number(number) - 1]?.includes('\r') === true;
}
