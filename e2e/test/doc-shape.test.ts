import { describe, expect, it } from 'vitest';
import { readDocPage } from './support/doc-examples.js';
import { compareShape, fillIn } from './support/doc-shape.js';

const differences = (shown: unknown, came: unknown) => compareShape(shown, came, new Map());

describe('compareShape', () => {
  it.each([
    [
      { a: 'x', n: 1, ok: true, none: null },
      { a: 'x', n: 77, ok: true, none: null },
    ],
    [
      { a: 'x', '…': '…' },
      { a: 'x', b: 1 },
    ],
    [
      ['one', '…'],
      ['one', 'two'],
    ],
    ['No grant … is in force', 'No grant apr_(1) is in force'],
    [
      { a: '<id>', b: 'again <id>' },
      { a: 'ses_1', b: 'again ses_1' },
    ],
  ])('finds nothing in %j that differs from %j', (shown, came) => {
    expect(differences(shown, came)).toEqual([]);
  });

  it.each([
    [{ a: 'x' }, { a: 'y' }, 'answer.a is shown'],
    [{ a: 'x' }, { a: 'x', b: 1 }, 'answer.b came and is not shown'],
    [{ a: 'x', b: 1 }, { a: 'x' }, 'answer.b is shown and did not come'],
    [{ n: 1 }, { n: '1' }, 'answer.n is shown as 1'],
    [{ ok: true }, { ok: false }, 'answer.ok is shown'],
    [{ none: null }, { none: {} }, 'answer.none is shown'],
    [['one'], ['one', 'two'], 'answer is shown'],
    [['one', 'two', '…'], ['one'], 'answer is shown'],
    [[{ a: 1 }], [{ a: 'x' }], 'answer[0].a is shown'],
    [{ a: '<id>', b: '<id>' }, { a: 'ses_1', b: 'ses_2' }, 'answer.b is shown'],
    ['a.c', 'abc', 'answer is shown'],
  ])('finds what differs between %j and %j', (shown, came, found) => {
    expect(differences(shown, came)).toEqual([expect.stringContaining(found)]);
  });

  it('keeps what a placeholder stood for, and fills in no other', () => {
    const captured = new Map<string, string>();
    compareShape({ id: '<session_id>' }, { id: 'ses_1' }, captured);
    expect(fillIn('{"session_id":"<session_id>"}', captured)).toBe('{"session_id":"ses_1"}');
    expect(() => fillIn('<other>', captured)).toThrow('<other>');
  });
});

describe('readDocPage', () => {
  const op = '```sh\nop() { curl -si -u a:b http://h -H \'x-y: z\' -d "$1"; }\n```\n';
  const answer = '```http\nHTTP/1.1 404 Not Found\ncontent-type: a/b\n\n{ "a": 1 }\n```\n';

  it('reads commands with their answers', () => {
    const page = readDocPage(`${op}text\n\`\`\`sh\nop '{"operation": "x"}'\n\`\`\`\n${answer}`);
    expect(page.examples).toMatchObject([
      {
        request: { url: 'http://h', user: 'a:b', headers: { 'x-y': 'z' }, body: '{"operation": "x"}' },
        status: 404,
        answer: '{ "a": 1 }\n',
      },
    ]);
  });

  it.each([
    ['a command without an answer', `${op}\`\`\`sh\nop '{}'\n\`\`\`\n`, 'shows no answer'],
    [
      'two commands for one answer',
      `${op}\`\`\`sh\nop '{}'\n\`\`\`\n\`\`\`sh\nop '{}'\n\`\`\`\n${answer}`,
      'out of place',
    ],
    ['an answer to nothing', answer, 'out of place'],
    ['another language', '```python\nprint(1)\n```\n', 'out of place'],
    ['another program', '```sh\nwget http://h\n```\n', 'Only curl and op'],
    ['an option that is not run', '```sh\ncurl -k http://h\n```\n', "'-k' of curl"],
  ])('refuses %s', (_what, markdown, problem) => {
    expect(() => readDocPage(markdown)).toThrow(problem);
  });
});
