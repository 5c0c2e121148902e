import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../src/expressions/parse-expression.js';

describe('parseExpression', () => {
  it('gives a tree, and the names it starts from', () => {
    expect(parseExpression('this.a + (b[c])')).toEqual({
      tree: {
        kind: 'binary',
        operator: '+',
        left: {
          kind: 'member',
          of: { kind: 'name', name: 'this' },
          key: { kind: 'literal', value: 'a' },
          optional: false,
        },
        right: {
          kind: 'member',
          of: { kind: 'name', name: 'b' },
          key: { kind: 'name', name: 'c' },
          optional: false,
        },
      },
      roots: ['this', 'b', 'c'],
    });
  });

  it.each([
    'a) || (process.exit()',
    'x}; y',
    'a; b',
    'a;',
    'a // c',
    'a /* c */',
    'a\nb',
    'a, b',
    '(a, b)',
    '',
    ' ',
    ')',
    '(a',
    'a)',
    'a <!-- b',
    'a\n--> b',
    '<!-- a',
    '010',
    '"\\01"',
    'a = 1',
    'a += 1',
    'a++',
    '--a',
    'delete a.b',
    'new A()',
    'import("a")',
    'import.meta',
    'a => a',
    'function () {}',
    'class {}',
    '/a/',
    '`a${b}` `c`',
    'tag`a`',
    '...a',
    '[...a]',
    '({ ...a })',
    '({ a() {} })',
    '({ get a() {} })',
    '({ __proto__: a })',
    '({ "__proto__": a })',
    '({ [a]: 1 })',
    '[, 1]',
    'f(...a)',
    'a.b?.()',
    'a?.()',
    '(a?.b)()',
    'a()()',
    '(() => 1)()',
    'f.constructor("return 1")()',
    'await a',
    'yield a',
    'super.a',
    'new.target',
    '#a in b',
    'a.#b',
    'a instanceof b',
    '1e999',
    'let',
    'a ? b',
    '"a',
    '`a${',
    'async () => 1',
    'a\u0000',
  ])('leaves this to V8: %j', (text) => {
    expect(parseExpression(text)).toBeUndefined();
  });

  it('takes no more than 500 characters and 100 nodes', () => {
    expect(parseExpression(`a${' '.repeat(499)}`)).toBeDefined();
    expect(parseExpression(`a${' '.repeat(500)}`)).toBeUndefined();
    expect(parseExpression(Array.from({ length: 50 }, () => 'a').join('+'))).toBeDefined();
    expect(parseExpression(Array.from({ length: 60 }, () => 'a').join('+'))).toBeUndefined();
    expect(parseExpression(`${'('.repeat(249)}a${')'.repeat(249)}`)).toBeUndefined();
  });
});
