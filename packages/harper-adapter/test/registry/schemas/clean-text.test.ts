import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../src/registry/schemas/clean-text.js';

describe('cleanText', () => {
  it('is one line without what controls or hides', () => {
    expect(cleanText(' a\nb\u0000\u001B[31mc\u202Ed\u200Be\u{E0041} \uD800 f ', 100)).toBe('a b [31mcde f');
  });

  it('is cut between characters, and says so', () => {
    expect(cleanText('👍👍👍👍', 3)).toBe('👍👍…');
    expect(cleanText('👍👍👍', 3)).toBe('👍👍👍');
    const cut = cleanText('x'.repeat(1_000_000), 10);
    expect(cut).toBe(`${'x'.repeat(9)}…`);
  });
});
