import type { FetchAnswer } from '../fetch/guarded-fetch.js';
import { classifyBody, decodeText } from '../page/classify-body.js';
import { indentJson } from '../page/indent-json.js';
import type { PageConverter } from '../page/page-converter.js';

/** A body as it is shown. */
export interface ShownBody {
  readonly text: string;
  /** What a reader of the text has to know, one line each. */
  readonly notes: readonly string[];
  /** Something of the body is not in the text. */
  readonly incomplete: boolean;
  readonly kind: 'page' | 'json' | 'text' | 'binary' | 'none';
  readonly charset?: string;
}

/** How to show it. */
export interface ShowOptions {
  readonly textBytes: number;
  /** Pages as their source. */
  readonly source: boolean;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Turns a body into text: pages into Markdown, JSON indented where that fits, bytes into their kind and length. */
export async function showBody(
  answer: FetchAnswer,
  pages: PageConverter,
  options: ShowOptions,
): Promise<ShownBody> {
  const { bytes, truncated, encoding } = answer.body;
  if (bytes.length === 0) return { text: '[no body]', notes: [], incomplete: truncated, kind: 'none' };
  const about = classifyBody(bytes, answer.headers.get('content-type'), truncated);
  if (encoding !== undefined || about.kind === 'binary') {
    const what = about.kind === 'binary' ? about.what : (answer.headers.get('content-type') ?? 'a body');
    const name = encoding === undefined ? what : `${what}, ${encoding}-encoded`;
    return {
      text: `[binary: ${name}, ${lengthOf(answer)}; not shown]`,
      notes: [],
      incomplete: true,
      kind: 'binary',
    };
  }
  const { charset, kind } = about;
  if (kind === 'page' && !options.source) return showPage(answer, charset, pages, options);
  const text = decodeText(
    bytes.subarray(0, options.textBytes),
    charset,
    truncated || bytes.length > options.textBytes,
  );
  const whole = !truncated && bytes.length <= options.textBytes;
  return {
    text: (kind === 'json' && whole ? indentJson(text, options.textBytes) : undefined) ?? text,
    notes: whole
      ? []
      : [
          `[only the first ${Math.min(bytes.length, options.textBytes)} bytes of the body follow, of ${lengthOf(answer)}]`,
        ],
    incomplete: !whole,
    kind,
    charset,
  };
}

async function showPage(
  { body: { bytes, truncated }, url }: FetchAnswer,
  charset: string,
  pages: PageConverter,
  { textBytes, signal, deadlineMs }: ShowOptions,
): Promise<ShownBody> {
  const page = { bytes, charset, truncated, url, maxLength: textBytes };
  const { markdown, title, stopped } = await pages.convert(page, { signal, deadlineMs });
  const size = Buffer.from(markdown);
  const text = decodeText(size.subarray(0, textBytes), 'utf-8', true);
  const long = stopped === 'length' || size.length > textBytes;
  const notes = [
    `[page as Markdown, without scripts, navigation and footer${title === undefined ? '' : `; its title: ${title}`}]`,
    ...(truncated ? [`[only the first ${bytes.length} bytes of its source were read]`] : []),
    ...(long ? [`[cut after ${size.length < textBytes ? size.length : textBytes} bytes]`] : []),
    ...(stopped === 'depth'
      ? ['[its elements are nested too deep: what follows from there is left out]']
      : []),
  ];
  return {
    text: text === '' ? '[nothing of it is text]' : text,
    notes,
    incomplete: truncated || long || stopped !== undefined,
    kind: 'page',
    charset,
  };
}

function lengthOf({ headers, body: { bytes, truncated }, method }: FetchAnswer): string {
  const announced = headers.get('content-length');
  if (announced !== undefined && (method === 'HEAD' || !headers.has('content-encoding')))
    return `${announced} bytes`;
  return truncated ? `more than ${bytes.length} bytes` : `${bytes.length} bytes`;
}
