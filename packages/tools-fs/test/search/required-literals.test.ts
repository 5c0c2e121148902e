import fc from 'fast-check';
import { RE2JS, RE2JSException } from 're2js';
import { describe, expect, it } from 'vitest';
import { requiredLiterals } from '../../src/search/required-literals.js';

describe('requiredLiterals', () => {
  it.each([
    ['needle', ['needle']],
    ['quasar[A-Z][a-z]+[0-9]{4}', ['quasar']],
    ['TODO|FIXME|XXX', ['TODO', 'FIXME', 'XXX']],
    ['\\bconst \\w+ = await', [' = await']],
    ['a\\.b\\(c', ['a.b(c']],
    ['ba+c', ['ba']],
    ['a+bcd', ['abcd']],
    ['colou?r', ['colo']],
    ['(foo|bar)baz', ['baz']],
    ['[)|]tail', ['tail']],
    ['[]a]tail', ['tail']],
    ['[[:alpha:]]tail', ['tail']],
    ['x{2,3}tail', ['tail']],
    ['^export$', ['export']],
    ['größe', ['größe']],
  ])('%s needs %j', (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });

  it.each([
    '',
    '.*',
    '(a+)+$',
    'foo|',
    'foo|.',
    '(?i)foo',
    '(?s:foo)',
    '\\x41bc',
    '\\101b',
    '\\Qa.b\\E',
    'a*',
    'a?',
    '\\d+',
  ])('promises nothing for %s', (pattern) => {
    expect(requiredLiterals(pattern)).toBeUndefined();
  });

  const atoms = fc.constantFrom(
    ...'abc.^$|()[]{}*+?\\-!'.split(''),
    'ab',
    '\\d',
    '\\.',
    '\\\\',
    '[^a]',
    '[a-c]',
    '(?:',
    '(?i)',
    '{2}',
    '{0,1}',
    '\\x61',
    '\\141',
    '\\Qa',
    '\\E',
    'ä',
    '𝒳',
  );
  const texts = fc.array(fc.constantFrom(...'abcA.|[{\\-!'.split(''), 'ab', 'ä', '𝒳'), { maxLength: 12 });

  it('never names a text that a match does without', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fc.array(atoms, { minLength: 1, maxLength: 8 }),
        fc.array(texts, { minLength: 8, maxLength: 8 }),
        (parts, lines) => {
          const pattern = parts.join('');
          const expression = compile(pattern);
          const literals = requiredLiterals(pattern);
          if (expression === undefined || literals === undefined) return;
          for (const line of lines.map((pieces) => pieces.join(''))) {
            if (!expression.test(line)) continue;
            compared++;
            expect(
              literals.some((literal) => line.includes(literal)),
              `${pattern} in ${line}: ${literals.join()}`,
            ).toBe(true);
          }
        },
      ),
      { numRuns: Math.max(5_000, Number(process.env['FS_FUZZ_RUNS'] ?? 0) * 20) },
    );
    expect(compared).toBeGreaterThan(100);
  }, 600_000);
});

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
