import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createPageConverter } from '../../src/page/page-converter.js';
import { pageToMarkdown } from '../../src/page/page-to-markdown.js';
import { fuzzRuns } from './fuzz-runs.js';

const TAGS = [
  'div',
  'p',
  'b',
  'i',
  'a',
  'h1',
  'h6',
  'ul',
  'ol',
  'li',
  'dl',
  'dd',
  'pre',
  'code',
  'blockquote',
  'table',
  'tr',
  'td',
  'th',
  'br',
  'hr',
  'img',
  'nav',
  'footer',
  'script',
  'style',
  'title',
  'svg',
  'template',
  'base',
  'form',
  'option',
  'x',
];
const attributes = fc.constantFrom(
  '',
  ' href="/x"',
  ' href="javascript:x"',
  ' hidden',
  ' style="display:none"',
  ' alt="a|b" src=c',
  ' class="language-js"',
  ' href="',
  " a='",
  ' start=-9',
  ' start=99999999999',
  ' href="http://[',
  ' =x',
  ' / / /',
);
const piece = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...TAGS), attributes).map(([tag, given]) => `<${tag}${given}>`),
  },
  { weight: 4, arbitrary: fc.constantFrom(...TAGS).map((tag) => `</${tag}>`) },
  { weight: 3, arbitrary: fc.string({ maxLength: 10 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '<',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&',
      '&#x',
      '&amp',
      '<!doctype',
      '</',
      '<?',
      '`',
      '|',
      '\n',
      '\0',
    ),
  },
);
const soup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('tag soup', () => {
  it('becomes Markdown within its length, and never throws', () => {
    fc.assert(
      fc.property(soup, fc.integer({ min: 1, max: 500 }), (html, maxLength) => {
        const { markdown, title = '' } = pageToMarkdown({ html, url: 'https://example.com/', maxLength });
        expect(markdown.length).toBeLessThanOrEqual(maxLength);
        expect(title.length).toBeLessThanOrEqual(300);
        expect(markdown).toBe(markdown.trim());
        expect(markdown).not.toMatch(/\]\((?:javascript|data):/i);
      }),
      fuzzRuns(2000),
    );
  });

  const converter = createPageConverter();
  afterAll(() => converter.close());

  it('takes no page long, however often a pattern repeats', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), soup, async (pattern, end) => {
        const repeated = pattern.join('');
        const html = `${repeated.repeat(Math.ceil(200_000 / Math.max(repeated.length, 1)))}${end}`.slice(
          0,
          300_000,
        );
        const page = {
          bytes: Buffer.from(html),
          charset: 'utf-8',
          truncated: false,
          url: 'https://example.com/',
          maxLength: 65_536,
        };
        // The converter rejects when this is over.
        const options = { signal: new AbortController().signal, deadlineMs: 5_000 };
        await expect(converter.convert(page, options)).resolves.toHaveProperty('markdown');
      }),
      fuzzRuns(25),
    );
  });
});
