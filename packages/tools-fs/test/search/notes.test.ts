import { describe, expect, it } from 'vitest';
import { quotePath } from '../../src/search/notes.js';

describe('quotePath', () => {
  it.each(['a.txt', 'über/ünter.js', '日本/語.md', ' a b ', '"a"', '😀', "it's"])(
    'leaves %s as it is',
    (path) => {
      expect(quotePath(path)).toBe(path);
    },
  );

  it.each([
    ['a\nb', '"a\\nb"'],
    ['a\u007f"b"', '"a\\u007f\\"b\\""'],
    ['\u202egpj.exe', '"\\u202egpj.exe"'],
    ['a\u200b.txt', '"a\\u200b.txt"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['\ufeffa', '"\\ufeffa"'],
  ])('writes out what is not seen in %j', (path, quoted) => {
    expect(quotePath(path)).toBe(quoted);
    expect(JSON.parse(quoted)).toBe(path);
  });
});
