import { afterAll, describe, expect, it } from 'vitest';
import { createNameFinder } from '../../src/names/name-finder.js';

const finder = createNameFinder();
afterAll(() => finder.close());

const FUNCTION = 'function f(a) { g(); }\n';
const at = { isModule: false, line: 0, column: FUNCTION.indexOf('g()') };
const names = { variables: ['a'], own: 1, declared: ['a', 'f'] };

describe('createNameFinder', () => {
  it('finds names in a thread of its own', async () => {
    expect(await finder.find({ ...at, source: FUNCTION })).toEqual(names);
  });

  it.each([
    ['parentheses', '('.repeat(100_000) + ')'.repeat(100_000)],
    ['blocks', '{'.repeat(100_000) + '}'.repeat(100_000)],
    ['additions', `h(${'1 + '.repeat(100_000)}1)`],
    ['functions', 'function h() {'.repeat(100_000) + '}'.repeat(100_000)],
  ])('says nothing of %s nested too deep, and finds others after that', async (_what, nested) => {
    expect(await finder.find({ ...at, source: FUNCTION + nested })).toBeUndefined();
    expect(await finder.find({ ...at, source: FUNCTION })).toEqual(names);
  });

  it('finds names in a list of 200,000 elements', async () => {
    const list = `const list = [${'1,'.repeat(200_000)}];`;
    const found = await finder.find({ ...at, source: FUNCTION + list });
    expect(found).toEqual({ ...names, declared: ['a', 'f', 'list'] });
  });

  it('finds names in 3 MB', async () => {
    const more = `/* ${'what it does '.repeat(40)} */ function h(b) { return [b].map((c) => b + c); }\n`;
    const found = await finder.find({ ...at, source: FUNCTION + more.repeat(3_000_000 / more.length) });
    expect(found).toEqual({ ...names, declared: ['a', 'f', 'h'] });
  });

  it('says nothing once it is closed', async () => {
    const closed = createNameFinder();
    await closed.close();
    expect(await closed.find({ ...at, source: FUNCTION })).toBeUndefined();
  });
});
