import { describe, expect, it } from 'vitest';
import { pageToMarkdown } from '../../src/page/page-to-markdown.js';

const convert = (html: string, maxLength = 10_000) =>
  pageToMarkdown({ html, url: 'https://example.com/docs/page', maxLength });
const markdown = (html: string) => convert(html).markdown;

describe('pageToMarkdown', () => {
  it.each([
    ['headings', '<h1>One</h1><h3>Three</h3>', '# One\n\n### Three'],
    ['paragraphs and lines', '<p>a\n  b</p><p>c<br>d</p>e', 'a b\n\nc\nd\n\ne'],
    [
      'emphasis, spaces outside',
      '<p>x<b> bold </b>y <i>it</i> <s>no</s> <code>a b</code>',
      'x **bold** y _it_ ~~no~~ `a b`',
    ],
    ['no mark of what is empty', '<p>a <b> </b><a href="/x"></a> b', 'a b'],
    [
      'links, made whole',
      '<a href="../up?a=1#b">to <b>it</b></a>',
      '[to **it**](https://example.com/up?a=1#b)',
    ],
    ['links with parentheses', '<a href="/a_(b)">x</a>', '[x](https://example.com/a_%28b%29)'],
    [
      'a link around blocks, on one line',
      '<a href="/x"><h2>T</h2><p>text</p></a>',
      '[T text](https://example.com/x)',
    ],
    [
      'no link that runs or holds data',
      '<a href="javascript:x()">a</a> <a href="data:text/html,x">b</a>',
      'a b',
    ],
    [
      'images with a description',
      '<img alt="A cat" src="c.png"><img src="d.png">',
      '![A cat](https://example.com/docs/c.png)',
    ],
    [
      'nested lists',
      '<ul><li>a<li><p>b</p><ol start=3><li>c<li>d</ol><li>e</ul>',
      '- a\n- b\n  3. c\n  4. d\n- e',
    ],
    ['lines of an item', '<ul><li>a<br>b</ul>', '- a\n  b'],
    ['quotes', '<p>a<blockquote><p>b<p>c</blockquote>d', 'a\n\n> b\n>\n> c\n\nd'],
    [
      'code, as it is',
      '<pre><code class="language-js">if (a &lt; b) {\n\n  x  y\n}</code></pre>',
      '```js\nif (a < b) {\n\n  x  y\n}\n```',
    ],
    ['code that holds a fence', '<pre>a\n```\nb</pre>', '````\na\n```\nb\n````'],
    ['code in a list', '<ul><li>a<pre>x\ny</pre></ul>', '- a\n\n  ```\n  x\n  y\n  ```'],
    [
      'a table',
      '<table><tr><th>A<th>B<tr><td>1|2<td><p>x</p><p>y</p></table>',
      '| A | B |\n| --- | --- |\n| 1\\|2 | x y |',
    ],
    [
      'empty cells and rows',
      '<table><tr><td></td><td>x</td></tr><tr><td></tr></table>',
      '| | x |\n| --- | --- |',
    ],
    [
      'a table that arranges the page',
      '<table><tr><td><table><tr><td>in</table><td>side<tr><td>low</table>',
      '| in |\n| --- |\n\nside\nlow',
    ],
    ['definitions', '<dl><dt>T<dd>D</dl>', 'T\n: D'],
    ['rules', 'a<hr>b', 'a\n\n---\n\nb'],
    ['entities', '&lt;b&gt; &amp;amp; &eacute;&#x1F600; &nbsp;x', '<b> &amp; é😀 x'],
    [
      'nothing of scripts and the like',
      '<style>x</style><script>"</p>"</script><svg><text>x</text></svg><noscript>y</noscript>z',
      'z',
    ],
    ['nothing of navigation and footer', '<nav>menu</nav>text<footer>legal</footer>', 'text'],
    ['navigation where there is nothing else', '<nav><a href="/a">A</a></nav>', '[A](https://example.com/a)'],
    [
      'nothing that is hidden',
      '<p hidden>a</p><p style="color:red; Display : none">b</p><div style="visibility:hidden">c</div>d',
      'd',
    ],
    [
      'nothing that only a machine sees',
      '<p style="display:/* */none">a</p><p style="opacity: 0.0">b</p><p style="font-size:0px;x:y">c</p>' +
        '<noframes>d</noframes><noembed>e</noembed>f<p style="opacity:0.5;font-size:0.9em">g</p>',
      'f\n\ng',
    ],
    ['nothing invisible', 'a\u200bb\u202ec\u{e0041}\u{e0042}d\u00ade\u2060f', 'abcdef'],
    ['a base', '<base href="https://other.example/x/"><a href="y">z</a>', '[z](https://other.example/x/y)'],
    ['text without any tag', 'just text', 'just text'],
    ['tags that never end', '<p>a <b>b <i>c', 'a **b _c_**'],
    ['ends that never began', 'a</b></p></div></table>b', 'a\n\nb'],
    ['', '', ''],
  ])('writes %s', (_what, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it('tells the title, not as text', () => {
    expect(convert('<title> A &amp;\n B </title><body>x')).toEqual({ markdown: 'x', title: 'A & B' });
    expect(convert(`<title>${'x'.repeat(9000)}</title>`).title).toHaveLength(300);
  });

  it('stops at the length that is wanted, and says so', () => {
    const { markdown: text, stopped } = convert('<p>word</p>'.repeat(1000), 99);
    expect([text.length <= 99, stopped]).toEqual([true, 'length']);
    expect(convert('<p>word</p>', 99)).not.toHaveProperty('stopped');
  });

  it('stops where elements are nested too deep, and keeps what came before', () => {
    const { markdown: text, stopped } = convert(`<h1>Start</h1>${'<div>'.repeat(20_000)}end`);
    expect([text, stopped]).toEqual(['# Start', 'depth']);
    expect(convert(`${'<div>'.repeat(400)}end`)).toEqual({ markdown: 'end' });
  });
});
