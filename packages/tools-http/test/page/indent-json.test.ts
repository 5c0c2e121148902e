import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from '../../src/page/indent-json.js';

describe('indentJson', () => {
  it('indents as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        // Keys that are numbers are put in order by parsing; compare with what parsing leaves alone.
        const value: unknown = JSON.parse(json);
        expect(indentJson(JSON.stringify(value), 100_000)).toBe(JSON.stringify(value, undefined, 2));
      }),
    );
  });

  it('keeps every digit, every escape, the order and double keys', () => {
    const json = '{"b":12345678901234567890,"a":1.10,"b":[],"\\u00e9\\"{":{ },"c":[1e400]}';
    expect(indentJson(json, 1000)).toBe(
      '{\n  "b": 12345678901234567890,\n  "a": 1.10,\n  "b": [],\n  "\\u00e9\\"{": {},\n  "c": [\n    1e400\n  ]\n}',
    );
  });

  it.each(['', '{', '{a:1}', 'undefined', '[1,]', '"a'])('has nothing for %j, which is no JSON', (text) => {
    expect(indentJson(text, 1000)).toBeUndefined();
  });

  it('has nothing for what would grow too long, however deep', () => {
    expect(indentJson('[1,2,3]', 10)).toBeUndefined();
    expect(indentJson('['.repeat(5000) + ']'.repeat(5000), 65_536)).toBeUndefined();
  });
});
