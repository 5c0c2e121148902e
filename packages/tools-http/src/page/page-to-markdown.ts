import { Parser } from 'htmlparser2';
import { createElementRules } from './element-rules.js';
import { MarkdownWriter } from './markdown-writer.js';

/** A page and how much of it is wanted. */
export interface PageInput {
  readonly html: string;
  /** What relative links are relative to. */
  readonly url: string;
  /** Most characters of Markdown. */
  readonly maxLength: number;
}

/** A page as Markdown. */
export interface ConvertedPage {
  readonly markdown: string;
  readonly title?: string;
  /** The page goes on, and why it is not shown: there was enough, or its elements were nested too deep. */
  readonly stopped?: 'length' | 'depth';
}

const DEEPEST = 500;
const SLICE = 16 * 1024;

/**
 * Turns a page into Markdown in one pass over its tags, without a tree: no page makes it recurse, and it takes time in
 * proportion to the page. Scripts, styles, navigation and footers are left out, and so is what says that it is hidden;
 * a page of which nothing else is left is shown with its navigation. It never throws for what a page holds.
 */
export function pageToMarkdown(input: PageInput): ConvertedPage {
  const page = convert(input, false);
  return page.markdown === '' && page.stopped === undefined ? convert(input, true) : page;
}

function convert({ html, url, maxLength }: PageInput, withNavigation: boolean): ConvertedPage {
  const writer = new MarkdownWriter(maxLength);
  const rules = createElementRules(writer, url, withNavigation);
  /** What to do at the end of each open element. */
  const ends: ((() => void) | undefined)[] = [];
  /** How many elements were open where the one began that is left out. */
  let hiddenFrom: number | undefined;
  let deepest = 0;

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (hiddenFrom === undefined && rules.isHidden(name, attributes)) hiddenFrom = ends.length;
        ends.push(hiddenFrom === undefined ? rules.begin(name, attributes) : undefined);
        deepest = Math.max(deepest, ends.length);
      },
      onclosetag() {
        const end = ends.pop();
        if (hiddenFrom === ends.length) hiddenFrom = undefined;
        end?.();
      },
      ontext(text) {
        if (hiddenFrom === undefined) rules.text(text);
      },
    },
    { decodeEntities: true },
  );
  let at = 0;
  for (; at < html.length && !writer.full && deepest <= DEEPEST; at += SLICE)
    parser.write(html.slice(at, at + SLICE));
  if (at >= html.length && deepest <= DEEPEST) parser.end();
  else rules.flush();
  const { title } = rules;
  return {
    markdown: writer.toString().trim(),
    ...(title === '' ? {} : { title }),
    ...(writer.full ? { stopped: 'length' } : deepest > DEEPEST ? { stopped: 'depth' } : {}),
  };
}
