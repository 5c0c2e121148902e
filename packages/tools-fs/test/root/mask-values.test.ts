import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskValues, secretForms } from '../../src/root/mask-values.js';

const MARK = '[[redacted]]';

describe('secretForms', () => {
  it.each(['short1', 'password', '12345678', 'development', ' x '])('leaves %j alone', (value) => {
    expect(secretForms([value])).toEqual([]);
  });

  it('looks for a value, for what JSON makes of it, and for its long lines', () => {
    const value = 'first line of it "q"\nsecond line, long too\nx';
    expect(secretForms([value])).toEqual([
      value,
      JSON.stringify(value).slice(1, -1),
      'first line of it "q"',
      'first line of it \\"q\\"',
      'second line, long too',
    ]);
  });

  it('looks for a value longer than the longest form in pieces, to its last character', () => {
    const value = Array.from({ length: 1500 }, (_, index) => `${index}-`).join('');
    expect(maskValues(`a ${value} b`, secretForms([value]))).toEqual({
      text: `a ${MARK} b`,
      masked: 1,
    });
    const end = maskValues(value.slice(-900), secretForms([value]), {
      before: value.slice(0, -900),
      after: '',
    });
    expect(end.text).toBe(MARK);
  });
});

describe('maskValues', () => {
  it.each(['x1'.repeat(6), 'abcabcabcabcabcabcab', 'a'.repeat(20), `${'ab'.repeat(4000)}c`])(
    'masks a value that repeats itself to its end, wherever it begins',
    (value) => {
      const forms = secretForms([value]);
      for (const before of ['', 'a', 'x1', 'abc', 'ab']) {
        expect(maskValues(`${before}${value}-`, forms).text).toMatch(/^[a-c1x]{0,3}\[\[redacted\]\]-$/);
      }
    },
  );

  const forms = secretForms(['s3cret-value', 'value-and-more']);

  it('masks every occurrence, and what overlaps under one mark', () => {
    expect(maskValues('a s3cret-value b s3cret-value', forms)).toEqual({
      text: `a ${MARK} b ${MARK}`,
      masked: 2,
    });
    expect(maskValues('a s3cret-value-and-more b', forms)).toEqual({ text: `a ${MARK} b`, masked: 1 });
  });

  it('masks the part of a value that reaches into the text, whichever side it comes from', () => {
    expect(maskValues('et-value b', forms, { before: 'a s3cr', after: '' })).toEqual({
      text: `${MARK} b`,
      masked: 1,
    });
    expect(maskValues('a s3cr', forms, { before: '', after: 'et-value' }).text).toBe(`a ${MARK}`);
    expect(maskValues('cret', forms, { before: 's3', after: '-value' }).text).toBe(MARK);
    expect(maskValues('b', forms, { before: 's3cret-value', after: 's3cret-value' })).toEqual({
      text: 'b',
      masked: 0,
    });
  });

  it('leaves no value in any text, wherever a page is cut', () => {
    const piece = fc.constantFrom(
      's3cret-value',
      'value-and-more',
      's3cret',
      '-value',
      'x',
      '\n',
      '-and-more',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.nat(60), fc.nat(60), (pieces, from, length) => {
        const whole = pieces.join('');
        const [start, end] = [Math.min(from, whole.length), Math.min(from + length, whole.length)];
        const around = { before: whole.slice(0, start), after: whole.slice(end) };
        const { text } = maskValues(whole.slice(start, end), forms, around);
        for (const form of forms) expect(text).not.toContain(form);
        // Without marks the text is what of the page belongs to no value.
        const spans = forms.flatMap((form) =>
          [...whole.matchAll(new RegExp(form, 'g'))].map(
            ({ index }) => [index, index + form.length] as const,
          ),
        );
        const bare = Array.from(whole.slice(start, end)).filter(
          (_char, at) => !spans.some(([first, last]) => start + at >= first && start + at < last),
        );
        expect(text.replaceAll(MARK, '')).toBe(bare.join(''));
      }),
      { numRuns: 300 },
    );
  });
});
