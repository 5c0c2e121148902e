import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../../src/tokens/load-token-counter.js';

const counter = await loadTokenCounter();

describe('loadTokenCounter', () => {
  it('looks at the text: digits and signs count for more than words of the same length', () => {
    const words = counter.count('The agent reads the configuration and explains everything. '.repeat(50));
    const data = counter.count('{"a":1,"b":22,"c":3.5,"d":[4,5],"e":"6"},{"f":7,"g":88,"h"'.repeat(50));
    expect(data).toBeGreaterThan(words * 1.3);
  });

  it('counts nothing for nothing, and never less than a token for four bytes', () => {
    expect(counter.count('')).toBe(0);
    for (const text of [
      ' '.repeat(4000),
      '='.repeat(4000),
      'QUJD'.repeat(1000),
      '犬'.repeat(1000),
      '😀'.repeat(1000),
    ]) {
      expect(counter.count(text)).toBeGreaterThanOrEqual(Buffer.byteLength(text) / 4);
    }
  });

  it('takes a token for three bytes of a text too long to look at', () => {
    for (const text of ['ab '.repeat(50_000), 'é'.repeat(65_536)]) {
      expect(counter.count(text)).toBe(Math.ceil(Buffer.byteLength(text) / 3));
    }
  });

  it('takes no more time for a text of 64 KiB than for one it looks at', () => {
    const time = (text: string) => {
      const times = Array.from({ length: 9 }, () => {
        const before = performance.now();
        counter.count(text);
        return performance.now() - before;
      });
      return Math.min(...times);
    };
    // The slowest kind of text there is for it, by a wide margin.
    expect(time('é ü ñ '.repeat(10_923))).toBeLessThan(time('é ü ñ '.repeat(1_365)) + 1);
  });
});
