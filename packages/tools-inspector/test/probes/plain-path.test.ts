import { describe, expect, it } from 'vitest';
import { plainPath } from '../../src/probes/plain-path.js';

describe('plainPath', () => {
  it.each([
    ['total', ['total']],
    [' order.items[0].price ', ['order', 'items', 0, 'price']],
    ['this.x', ['this', 'x']],
    ['$größe._1[12]', ['$größe', '_1', 12]],
    ['undefined', ['undefined']],
    ['a.class', ['a', 'class']],
  ])('%s is a path', (expression, path) => {
    expect(plainPath(expression)).toEqual(path);
  });

  it.each([
    '(a.b)',
    'a?.b',
    'a.b()',
    'a["b"]',
    'a[i]',
    'a[-1]',
    'a[1234567890]',
    'a + b',
    'a.#x',
    'a..b',
    '1',
    'null',
    'true',
    'new.target',
    'a; b',
    'a // b',
    'a\nb',
    '',
  ])('%s is none', (expression) => {
    expect(plainPath(expression)).toBeUndefined();
  });
});
