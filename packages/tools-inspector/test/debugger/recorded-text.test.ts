import { describe, expect, it } from 'vitest';
import { readRecorded } from '../../src/debugger/recorded-text.js';

const hit = (more: object) =>
  JSON.stringify({ id: 7, time: 1, stack: [], view: { variables: [], left: 0, paths: [] }, ...more });
const leaf = { kind: 'leaf', text: '1' };
const deep = (levels: number): object =>
  levels === 0
    ? leaf
    : { kind: 'node', shape: 'object', label: '', size: 1, entries: [[null, deep(levels - 1)]] };
const view = (variables: unknown) => ({ view: { variables, left: 0, paths: [] } });

describe('the text of a hit', () => {
  it('says whose it is before it is looked at', () => {
    expect(readRecorded('{"id":3,"nonsense":[[[[]]]]}').id).toBe(3);
    expect(readRecorded(hit(view([['a', deep(1)]]))).read()).toMatchObject({ time: 1, stack: [] });
  });

  it.each([
    ['no JSON', '{', /JSON/],
    ['no number', '{"id":"1"}', /expected number/],
    ['nothing', 'null', /expected object/],
  ])('is refused where nobody could have recorded it: %s', (_, text, why) => {
    expect(() => readRecorded(text)).toThrow(why);
  });

  it.each([
    ['a value of many levels', view([['a', deep(5)]]), RangeError],
    ['a list without end', view(Array(32_000).fill(0)), RangeError],
    ['a time that is none', { time: 1e300 }, Error],
    ['a time before there was any', { time: -1 }, Error],
    ['too many frames', { stack: Array(13).fill(['f', 'file:///a', 1, 1]) }, Error],
    ['a long name', { stack: [['f'.repeat(201), null, 1, 1]] }, Error],
    ['another shape', view([['a', { kind: 'tree' }]]), Error],
  ])('is refused when it is read: %s', (_, more, error) => {
    expect(() => readRecorded(hit(more)).read()).toThrow(error);
  });
});
