import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** What a body is, and how to read it. `what` names bytes that are not shown. */
export type BodyKind =
  | { readonly kind: 'page' | 'json' | 'text'; readonly charset: string }
  | { readonly kind: 'binary'; readonly what: string };

const TEXT_TYPE =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml|x-yaml)|application\/(x-ndjson|jsonl|javascript|ecmascript|typescript|x-www-form-urlencoded|graphql|graphql-response\+json|sql|toml|x-sh)|image\/svg\+xml)$/;
const SNIFF_BYTES = 8 * 1024;
// Where the standard has browsers look for it.
const META_BYTES = 1024;

/**
 * Tells what a body is by its type, or by its first bytes where it has none. The charset is that of the byte order
 * mark, else of the header, else of the page's `meta` or the XML declaration, else UTF-8. A charset nobody knows counts
 * as UTF-8: most of the text is legible then.
 */
export function classifyBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  truncated: boolean,
): BodyKind {
  const { type, charset: named } = parseType(contentType);
  if (type !== undefined && !TEXT_TYPE.test(type)) return { kind: 'binary', what: type };
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SNIFF_BYTES));
  const isPage =
    type === 'text/html' ||
    type === 'application/xhtml+xml' ||
    (type === undefined && /^\s*<(!doctype html|html)\b/i.test(start.toString('latin1')));
  const markup = isPage || type?.endsWith('xml') === true;
  const charset = known(bomOf(start) ?? named ?? (markup ? declared(start) : undefined));
  if (!charset.startsWith('utf-16') && start.includes(0)) {
    return { kind: 'binary', what: `${type ?? 'no content type'}, with NUL bytes` };
  }
  if (type === undefined && !isPage && !truncated && charset === 'utf-8' && !isUtf8(bytes)) {
    return { kind: 'binary', what: 'no content type, not UTF-8' };
  }
  const isJson = type !== undefined && /[/+]json$/.test(type);
  return { kind: isPage ? 'page' : isJson ? 'json' : 'text', charset };
}

/** Decodes text; what is not valid becomes U+FFFD. `truncated` drops a character cut in half at the end. */
export function decodeText(bytes: Uint8Array, charset: string, truncated: boolean): string {
  return new TextDecoder(charset).decode(bytes, { stream: truncated });
}

function parseType(contentType: string | undefined): {
  type: string | undefined;
  charset: string | undefined;
} {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  const charset = parameters.map((parameter) => /^charset=["']?([^"']+)/i.exec(parameter)?.[1]).find(Boolean);
  return { type: type === '' ? undefined : type.toLowerCase(), charset };
}

function bomOf(start: Buffer): string | undefined {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : undefined;
}

function declared(start: Buffer): string | undefined {
  const head = start.toString('latin1', 0, META_BYTES);
  const label =
    /<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i.exec(head)?.[1] ??
    /^<\?xml[^>]{0,100}?encoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})/.exec(head)?.[1];
  // Whoever can read that label is not reading UTF-16.
  return label?.toLowerCase().startsWith('utf-16') === true ? 'utf-8' : label;
}

function known(label: string | undefined): string {
  try {
    return new TextDecoder(label ?? 'utf-8').encoding;
  } catch {
    return 'utf-8';
  }
}
