/** Pages of documentation, of these many sections: 8 KB each, with navigation, code, tables and lists. */
export const ORDINARY = { small: 2, medium: 12, large: 60 } as const;

/** Pages made to break a converter. */
export const HOSTILE = ['nested', 'wide', 'unclosed', 'open quotes', 'stray ends'] as const;

export type PageName = keyof typeof ORDINARY | (typeof HOSTILE)[number];

/** The page of that name. */
export function pageNamed(name: PageName): string {
  switch (name) {
    case 'nested':
      return `${'<div>'.repeat(20_000)}text${'</div>'.repeat(20_000)}`;
    case 'wide':
      return '<p>text</p>'.repeat(200_000);
    case 'unclosed':
      return '<b>text'.repeat(200_000);
    case 'open quotes':
      return '<a href="x>text'.repeat(20_000);
    case 'stray ends':
      return '<div>'.repeat(400) + 'text</x>'.repeat(200_000);
    default:
      return article(ORDINARY[name]);
  }
}

function article(sections: number): string {
  const menu = numbered(40, (at) => `<li class="menu-item"><a href="/docs/${at}">Chapter ${at}</a></li>`);
  const body = numbered(sections, section);
  return `<!doctype html><html><head><title>Tables &amp; queries</title><style>${'.a{color:red}'.repeat(100)}</style>
<script>${'var a = 1 < 2;'.repeat(100)}</script></head><body><nav><ul>${menu}</ul></nav><main><h1>Tables</h1>${body}</main>
<footer><p>Copyright</p></footer></body></html>`;
}

function section(at: number): string {
  const words = numbered(
    8,
    (line) =>
      `Records are <em>read</em> and <strong>written</strong> by key ${line}, see <a href="../ref/${at}#${line}">the reference</a>; &quot;keys&quot; may be <code>text</code> or numbers. `,
  );
  const items = numbered(
    10,
    (item) =>
      `<li><p>Step ${item} of <code>${at}</code></p><ul><li>first</li><li>then <a href="/x">this</a></li></ul></li>`,
  );
  const rows = numbered(
    12,
    (row) =>
      `<tr><td>option${row}</td><td>number</td><td>What option ${row} does &mdash; or does not</td></tr>`,
  );
  const code = numbered(
    20,
    (line) => `  const row${line} = await tables.Dog.get({ id: ${line} }); // &lt;Dog&gt;\n`,
  );
  return `<section class="doc section-${at}"><h2 id="s${at}">Section ${at}</h2><p>${words}</p><p>${words}</p><ol>${items}</ol>
<pre><code class="language-js">${code}</code></pre><blockquote><p>Note: ${words}</p></blockquote>
<table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

function numbered(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at + 1)).join('');
}
