import { type Attributes, isHidden } from './is-hidden.js';
import type { MarkdownWriter } from './markdown-writer.js';
import { createTableRules } from './table-rules.js';

/** What each element of a page does to the Markdown. */
export interface ElementRules {
  isHidden(name: string, attributes: Attributes): boolean;
  /** Begins an element; the answer ends it. */
  begin(name: string, attributes: Attributes): (() => void) | undefined;
  text(text: string): void;
  /** Writes what waits for an end that will not come. */
  flush(): void;
  readonly title: string;
}

const PARAGRAPHS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'aside',
  'address',
  'form',
  'fieldset',
  'figure',
  'dl',
  'details',
  'dialog',
  'hgroup',
  'search',
  'nav',
  'footer',
  'body',
]);
const LINES = new Set(['dt', 'figcaption', 'caption', 'legend', 'summary', 'option', 'center', 'menu']);
const INLINE = new Map([
  ...['strong', 'b'].map((name) => [name, '**'] as const),
  ...['em', 'i'].map((name) => [name, '_'] as const),
  ...['del', 's', 'strike'].map((name) => [name, '~~'] as const),
  ...['code', 'kbd', 'samp'].map((name) => [name, '`'] as const),
]);
// Marks that change what a reader sees without being seen, and letters that only a machine reads.
const INVISIBLE = /[\u00ad\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const LONGEST_LINK = 1000;
const LONGEST_TITLE = 300;

/** The rules for one page. They write to `writer` and keep what is open. */
export function createElementRules(
  writer: MarkdownWriter,
  url: string,
  withNavigation: boolean,
): ElementRules {
  const tables = createTableRules(writer);
  const lists: { next: number | undefined }[] = [];
  let base = url;
  let title = '';
  let inTitle = false;
  /** Text within `pre`, its line ends kept. */
  let preformatted: { text: string; language: string } | undefined;

  function block(lines: 1 | 2): () => void {
    writer.break(lines);
    return () => writer.break(lines);
  }

  function heading(level: number): () => void {
    writer.break(2);
    writer.open(writer.inLine ? '' : `${'#'.repeat(level)} `);
    writer.enterLine();
    return () => {
      writer.leaveLine();
      writer.close('');
      writer.break(2);
    };
  }

  function link(href: string | undefined): (() => void) | undefined {
    const target = href === undefined ? undefined : absolute(href, base);
    if (target === undefined) return undefined;
    writer.open('[');
    writer.enterLine();
    return () => {
      writer.leaveLine();
      writer.close(`](${target})`);
    };
  }

  function list(start: number | undefined): () => void {
    writer.break(lists.length > 0 ? 1 : 2);
    lists.push({ next: start });
    return () => {
      lists.pop();
      writer.break(lists.length > 0 ? 1 : 2);
    };
  }

  function item(): () => void {
    const current = lists.at(-1);
    const mark = current?.next === undefined ? '- ' : `${current.next}. `;
    if (current?.next !== undefined) current.next += 1;
    writer.break(1);
    writer.enter(mark, ' '.repeat(mark.length));
    return () => {
      writer.leave();
      writer.break(1);
    };
  }

  function indented(first: string, rest: string, lines: 1 | 2): () => void {
    writer.break(lines);
    writer.enter(first, rest);
    return () => {
      writer.leave();
      writer.break(lines);
    };
  }

  function writePreformatted(): void {
    if (preformatted === undefined) return;
    const { text, language } = preformatted;
    preformatted = undefined;
    const lines = text.replace(/^\n|\s+$/g, '').split('\n');
    if (lines.length === 1 && lines[0] === '') return;
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].slice(0, 1000).map(([ticks]) => ticks.length));
    const fence = '`'.repeat(Math.min(longest, 20) + 1);
    writer.break(2);
    writer.verbatim([fence + language, ...lines, fence]);
    writer.break(2);
  }

  function begin(name: string, attributes: Attributes): (() => void) | undefined {
    if (name === 'title') {
      inTitle = title === '';
      return () => (inTitle = false);
    }
    if (name === 'base') base = absolute(attributes['href'] ?? '', url) ?? base;
    if (preformatted !== undefined) {
      preformatted.language ||= languageOf(attributes);
      if (name === 'br') preformatted.text += '\n';
      return undefined;
    }
    if (/^h[1-6]$/.test(name)) return heading(Number(name[1]));
    // Within an item a paragraph is a line: the list stays one.
    if (PARAGRAPHS.has(name)) return block(lists.length > 0 ? 1 : 2);
    if (LINES.has(name)) return block(1);
    const mark = INLINE.get(name);
    if (mark !== undefined) {
      writer.open(mark);
      return () => writer.close(mark);
    }
    switch (name) {
      case 'br':
        writer.break(1);
        return undefined;
      case 'hr':
        writer.break(2);
        writer.verbatim(['---']);
        return () => writer.break(2);
      case 'a':
        return link(attributes['href']);
      case 'img':
        image(attributes);
        return undefined;
      case 'ul':
        return list(undefined);
      case 'ol':
        return list(Number.parseInt(attributes['start'] ?? '1', 10) || 1);
      case 'li':
        return item();
      case 'dd':
        return indented(': ', '  ', 1);
      case 'blockquote':
        return indented('> ', '> ', 2);
      case 'pre':
        preformatted = { text: '', language: languageOf(attributes) };
        return writePreformatted;
      default:
        return tables.begin(name);
    }
  }

  function image({ alt = '', src = '' }: Attributes): void {
    if (alt.trim() === '') return;
    const target = absolute(src, base);
    writer.text(target === undefined ? alt : `![${alt}](${target})`);
  }

  return {
    isHidden: (name, attributes) => isHidden(name, attributes, withNavigation),
    begin,
    text(text) {
      const visible = text.replace(INVISIBLE, '');
      if (inTitle) title = (title + visible).slice(0, LONGEST_TITLE);
      else if (preformatted === undefined) writer.text(tables.inCell(visible));
      else preformatted.text += visible;
    },
    flush: writePreformatted,
    get title() {
      return title.replace(/\s+/g, ' ').trim();
    },
  };
}

/** A link that can be fetched or written to; nothing for scripts, data and what is not a URL. */
function absolute(href: string, base: string): string | undefined {
  if (href.length > LONGEST_LINK || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return ['http:', 'https:', 'mailto:'].includes(url.protocol)
    ? url.href.replace(/[()]/g, encodeParenthesis)
    : undefined;
}

function encodeParenthesis(character: string): string {
  return character === '(' ? '%28' : '%29';
}

function languageOf({ class: classes = '' }: Attributes): string {
  return (
    /(?:^|\s)(?:language|lang|highlight-source|brush:)-?([\w+#-]{1,30})/.exec(classes.slice(0, 300))?.[1] ??
    ''
  );
}
