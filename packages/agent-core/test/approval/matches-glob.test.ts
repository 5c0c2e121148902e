import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/approval/matches-glob.js';

describe('matchesGlob', () => {
  it.each([
    ['describe_all', 'describe_*', true],
    ['describe_all', 'describe_all', true],
    ['describe_all', 'describe', false],
    ['describe', 'describe_*', false],
    ['drop_table', '*', true],
    ['', '*', true],
    ['list_a_b', 'list_*_b', true],
    ['list_b', 'list_*_b', false],
    ['abab', '*ab', true],
    ['aba', 'ab*ba', false],
    ['read_log', 'read.log', false],
    ['read_log', 'read_lo?', false],
    ['xreadx', '*read*', true],
    ['a', '', false],
  ])('%s with %s: %s', (name, pattern, fits) => {
    expect(matchesGlob(name, pattern)).toBe(fits);
  });

  it('answers at once for a pattern of many stars that fits nowhere', () => {
    expect(matchesGlob('a'.repeat(64), `${'a*'.repeat(5_000)}b`)).toBe(false);
  });
});
