import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { formatDuration, parseDuration } from '../../src/schedule/duration.js';

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1d2h3m4s', 93_784_000],
    [' 1h 30m ', 5_400_000],
    ['0s', 0],
  ])('reads %j as %d ms', (text, ms) => {
    expect(parseDuration(text, 'in')).toBe(ms);
  });

  it.each([
    '',
    ' ',
    '5',
    'm',
    '-5m',
    '+5m',
    '1.5h',
    '5M',
    '5 minutes',
    'soon',
    '30m1h',
    '5m5m',
    'PT5M',
    '1e3s',
    'Infinity',
    'NaN',
    '٣m',
  ])('refuses %j, naming the field and what it got', (text) => {
    expect(() => parseDuration(text, 'every')).toThrow(
      `every is ${JSON.stringify(text)}, which is no duration`,
    );
  });

  it('reads what formatDuration writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds * 1000), 'in')).toBe(seconds * 1000);
      }),
    );
  });
});
