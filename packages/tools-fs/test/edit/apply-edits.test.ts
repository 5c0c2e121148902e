import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../src/edit/apply-edits.js';
import { nearestMatch } from '../../src/edit/nearest-match.js';

const edit = (oldText: string, newText: string, replaceAll = false) => ({ oldText, newText, replaceAll });
const apply = (text: string, ...edits: ReturnType<typeof edit>[]) => applyEdits(text, edits, 1_000_000);

describe('applyEdits', () => {
  it('applies edits in order, each to what the one before left', () => {
    expect(apply('a b c', edit('a', 'x'), edit('x b', 'y'))).toEqual({ text: 'y c', counts: [1, 1] });
  });

  it('takes the new text as it is: no patterns, no groups', () => {
    expect(apply('a.c abc', edit('a.c', "$& $1 $' \\n"))).toMatchObject({ text: "$& $1 $' \\n abc" });
  });

  it.each([
    ['a\r\nb\r\n', edit('b', 'c'), 'a\r\nc\r\n'],
    ['a\r\nb\r\n', edit('a\nb', 'a\nx\nb'), 'a\r\nx\r\nb\r\n'],
    ['a\r\nb\r\n', edit('a\r\nb', 'c\r\nd'), 'c\r\nd\r\n'],
    ['a\r\nb\nc\n', edit('a\nb', 'x\ny'), 'x\r\ny\nc\n'],
    ['a\r\nb\nc\n', edit('b\nc', 'x\ny'), 'a\r\nx\ny\n'],
    ['a\nb\n', edit('a', 'x\r\ny'), 'x\r\ny\nb\n'],
    ['\uFEFFhello\n', edit('hello', 'hi'), '\uFEFFhi\n'],
    ['\uFEFFhello\n', edit('\uFEFFhello', 'hi'), '\uFEFFhi\n'],
    ['\uFEFFhello\n', edit('hello', '\uFEFFhi'), '\uFEFFhi\n'],
  ])('keeps line endings and byte order marks: %j', (text, change, after) => {
    expect(apply(text, change)).toMatchObject({ text: after });
  });

  it.each([
    ['a\r\nb\n', '\nb'],
    ['a\r\nb\n', 'a\r'],
  ])('splits no line ending: %j', (text, oldText) => {
    expect(apply(text, edit(oldText, 'x'))).toEqual({
      problem:
        'oldText begins or ends between the \\r and the \\n of a line ending: take in both or neither.',
    });
  });

  it('replaces every place only when it is told to, and counts them', () => {
    expect(apply('a-a-a', edit('a', 'bb', true))).toEqual({ text: 'bb-bb-bb', counts: [3] });
    expect(apply('one\ntwo\none\n', edit('one', 'x'))).toEqual({
      problem:
        'oldText was found 2 times, at lines 1, 3. Add lines around it until it is the only one, or set replaceAll.',
    });
    expect(apply('aaa', edit('aa', 'b'))).toMatchObject({ problem: expect.stringContaining('2 times') });
    expect(apply('a\n'.repeat(50), edit('a', 'b'))).toMatchObject({
      problem: expect.stringContaining('more than 10 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.'),
    });
  });

  it('says which edit is wrong', () => {
    expect(apply('a b', edit('a', 'x'), edit('b', 'b'))).toEqual({
      problem: 'oldText of edit 2 and newText are the same: there is nothing to change.',
    });
    expect(apply('a b', edit('a', 'x'), edit('a', 'b'))).toMatchObject({
      problem: 'oldText of edit 2 was not found, and nothing like it. Read the file again.',
    });
  });

  it('does not let a file grow past its limit', () => {
    const grown = applyEdits('a'.repeat(1000), [edit('a', 'x'.repeat(1000), true)], 10_000);
    expect(grown).toEqual({ problem: 'the file would have more than 10000 bytes.' });
  });

  it('changes what it says and nothing else, in any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '😀', ' '), maxLength: 30 });
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.string({ unit: fc.constantFrom('x', 'y'), minLength: 1, maxLength: 4 }),
        (before, after, newText, mark) => {
          const oldText = `<${mark}>`;
          fc.pre(newText !== oldText);
          const whole = before + oldText + after;
          const crlf = whole.includes('\r\n') && !/(?:^|[^\r])\n/.test(whole);
          const expected = crlf ? newText.replace(/(?<!\r)\n/g, '\r\n') : newText;
          expect(apply(whole, edit(oldText, newText))).toEqual({
            text: before + expected + after,
            counts: [1],
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the nearest text', () => {
  const file = [
    'export class Hello extends Resource {',
    '  get() {',
    "    return 'hi';",
    '  }',
    '}',
    '',
    'export class Other extends Resource {',
    '  get() {',
    '    return this.value + 1;',
    '  }',
    '}',
  ].join('\n');

  it('is found by the lines that are there, and named where only white space differs', () => {
    const { problem } = Object(apply(file, edit("get() {\n  return 'hi';\n}", 'x')));
    expect(problem).toBe(
      "oldText was not found. The nearest is (it differs only in white space):\n2|   get() {\n3|     return 'hi';\n4|   }",
    );
  });

  it('is found by the most similar line where none is there word for word', () => {
    expect(nearestMatch(file, 'return this.values + 2;')).toMatchObject({ firstLine: 9 });
    expect(nearestMatch(file, 'EXPORT CLASS HELLO')).toBeUndefined();
    expect(nearestMatch(file, 'export class hello extends resource {')).toMatchObject({
      firstLine: 1,
      difference: 'only in upper and lower case',
    });
    expect(nearestMatch('caf\u0065\u0301 au lait\n', 'caf\u00e9 au lait')).toMatchObject({
      difference: 'only in how its characters are composed',
    });
  });

  it('shows no endless lines', () => {
    const { problem } = Object(apply(`${'x'.repeat(5000)} tail\n`, edit(`${'x'.repeat(5000)} tale\n`, 'y')));
    expect(problem.length).toBeLessThan(600);
  });
});
