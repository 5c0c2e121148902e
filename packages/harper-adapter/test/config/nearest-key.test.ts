import { describe, expect, it } from 'vitest';
import { nearestKey } from '../../src/config/nearest-key.js';

const keys = ['maxTurns', 'maxTokens', 'autoApprove', 'httpFetch', 'user'];

describe('nearestKey', () => {
  it.each([
    ['maxTrns', 'maxTurns'],
    ['MAXTOKENS', 'maxTokens'],
    ['auto_approve', 'autoApprove'],
    ['httpfetch', 'httpFetch'],
    ['usr', 'user'],
  ])('takes %s for %s', (wanted, meant) => {
    expect(nearestKey(wanted, keys)).toBe(meant);
  });

  it.each(['', 'colour', 'x'.repeat(100_000), '🦉🦉🦉🦉🦉🦉🦉'])('has nothing for %.20s', (wanted) => {
    expect(nearestKey(wanted, keys)).toBeUndefined();
    expect(nearestKey(wanted, [])).toBeUndefined();
  });
});
