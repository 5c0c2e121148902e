import { REDACTION_MARK } from '../contracts/index.js';
import { isPlaceholder } from './placeholder.js';
import { isSecretName } from './secret-name.js';
import type { NameKind } from './secret-name.js';
import type { Span } from './span.js';

/** A name that was found, and what stands around it. */
export interface Found {
  readonly name: string;
  readonly kind: NameKind;
  /** Where the value begins. */
  readonly at: number;
  readonly separator: ':' | '=' | ' ';
  /** White space on both sides of a `=`, as code has it. */
  readonly spaced: boolean;
  /** The quote behind the name with its backslashes, `\"` in JSON within JSON; empty for a bare name. */
  readonly nameQuote: string;
  /** Nothing but indentation, list marks, line numbers or a file name stands before it. */
  readonly atLineStart: boolean;
  /** Whether a `"` was opened before it on its line, or a `'`; `maybe` where the line began too far back. */
  readonly inDouble: boolean | 'maybe';
  readonly inSingle: boolean | 'maybe';
}

const OPENING = /(\\{0,63})(["'`])/y;
const NUMBER = /-?\d{1,64}(?:\.\d{1,64})?(?=[\s,}\]"'\\&;]|$)/y;
const SPACE = /(?:\s|\\[nrt])*/y;
const SCALAR = /[\w.+-]{1,64}/y;
const SCHEME = /^(?:Basic|Bearer|Digest|Token|ApiKey|Negotiate)\s+/i;
/** How the value of a header begins that fills its line: a scheme, or the first cookie. */
const HEADER_VALUE = /^(?:(?:Basic|Bearer|Digest|Token|ApiKey|Negotiate)\s|[\w.-]{1,60}=)/i;
const ONE_WORD = /^(?:Basic|Bearer|Token|ApiKey|Negotiate)\s{1,8}\S+/i;
/** Names under which an object or a list as a whole is secret. */
const CONTAINER = /(?:credentials|secrets|passwords|cookies)$/i;
const PASSWORD = /pass(?:word|wd|phrase|code)/i;
/** A bare value is judged by its beginning, and only then read to its end. */
const BEGINNING = 512;

/** The secret parts of the value that begins at `found.at`, and where to look on from. */
export function readValue(
  text: string,
  found: Found,
): { readonly spans: readonly Span[]; readonly next: number } {
  const { at } = found;
  if (text.startsWith(REDACTION_MARK, at) || !'[{'.includes(text.charAt(at) || ' ')) {
    const quoted = readString(text, at, found);
    if (quoted !== undefined) return { spans: keepHarmless(text, quoted, found), next: quoted.end };
    return readBare(text, found);
  }
  return readContainer(text, found);
}

/** The content of a string literal; up to the end of its line where it is not closed. */
function readString(text: string, at: number, found: Found): (Span & { readonly after: number }) | undefined {
  OPENING.lastIndex = at;
  const match = OPENING.exec(text);
  if (match === null) return undefined;
  const { 1: slashes = '', 2: quote = '' } = match;
  const start = OPENING.lastIndex;
  if (closesOuter(text, start, slashes.length, quote, found)) return undefined;
  const depth = slashes.length;
  let run = 0;
  for (let index = start; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '\\') run += 1;
    else {
      // `\"` closes what `\"` opened, and `\\\"` is a quote within it: so for each level of JSON within JSON.
      const closes = char === quote && (run < depth || run % (2 * depth + 2) === depth);
      // `'` within a JSON string that ends first was an apostrophe.
      if (found.inDouble !== false && quote !== '"' && char === '"' && run === 0)
        return { start, end: index, after: index };
      if (closes) return { start, end: index - Math.min(run, depth), after: index + 1 };
      if (char === '\n' || char === '\r') return { start, end: index, after: index };
      run = 0;
    }
  }
  return { start, end: text.length, after: text.length };
}

/** Whether a quote ends the string the name stands in, as in `{"a": "password:"}`, rather than begin a value. */
function closesOuter(
  text: string,
  after: number,
  depth: number,
  quote: string,
  { nameQuote, inDouble }: Found,
): boolean {
  if (nameQuote !== '') return depth !== nameQuote.length - 1;
  if (inDouble === false || quote !== '"') return false;
  return (
    (inDouble === true && depth === 0) || /^(?:\s|\\+[nrt])*(?:[,}\]:]|$)/.test(text.slice(after, after + 32))
  );
}

function readContainer(text: string, found: Found): { spans: readonly Span[]; next: number } {
  const spans: Span[] = [];
  const isObject = text.charAt(found.at) === '{';
  let at = found.at + 1;
  if (found.kind === 'maybe' || (isObject && !CONTAINER.test(found.name))) return { spans, next: at };
  for (;;) {
    at = skip(text, at, SPACE);
    if (isObject) {
      const key = readString(text, at, found);
      if (key === undefined) break;
      at = skip(text, key.after, SPACE);
      if (text.charAt(at) !== ':') break;
      at = skip(text, at + 1, SPACE);
    }
    const item = readString(text, at, found);
    const after = item?.after ?? skip(text, at, SCALAR);
    if (item === undefined && after === at) break;
    if (item !== undefined) spans.push(...keepHarmless(text, item, found));
    at = skip(text, after, SPACE);
    if (text.charAt(at) !== ',') break;
    at += 1;
  }
  return { spans, next: at };
}

function readBare(text: string, found: Found): { spans: readonly Span[]; next: number } {
  const { at, nameQuote, kind } = found;
  NUMBER.lastIndex = at;
  if (NUMBER.test(text)) {
    const end = NUMBER.lastIndex;
    const isSecret = kind === 'secret' && (PASSWORD.test(found.name) || end - at > 9);
    const span = nameQuote === '' ? { start: at, end } : { start: at, end, quote: nameQuote };
    return { spans: isSecret ? [span] : [], next: end };
  }
  // A bare word behind a quoted name is `true`, `null` or code.
  if (nameQuote !== '') return { spans: [], next: at };
  const end = endOfBare(text, found, BEGINNING);
  if (isCode(text.slice(at, end), text.charAt(end), found)) return { spans: [], next: at };
  const spans = keepHarmless(text, { start: at, end }, found);
  if (spans.length === 0) return { spans, next: at };
  const whole = endOfBare(text, found, text.length);
  return { spans: spans.map(({ start }) => ({ start, end: whole })), next: whole };
}

/** Where a value without quotes ends: with its line for headers and in YAML and env files, else with its word. */
function endOfBare(text: string, found: Found, limit: number): number {
  const { at, kind, atLineStart, separator } = found;
  const wholeLine = atLineStart || (kind === 'header' && HEADER_VALUE.test(text.slice(at, at + 64)));
  const after = text.startsWith(REDACTION_MARK, at) ? at + REDACTION_MARK.length : at;
  const line = text.slice(after, after + limit);
  const end = after + indexOrEnd(line, wholeLine ? endOfLine(found) : /[\s"'`&;,<>(){}\\|]/);
  const cut =
    kind === 'header' || !atLineStart
      ? undefined
      : separator === '='
        ? /[\s&;,][\s&;,]{0,8}[\w.-]{1,40}=|\s#/
        : /\s#/;
  const value = text.slice(at, cut === undefined ? end : at + indexOrEnd(text.slice(at, end), cut));
  // One word follows a scheme, save for Digest with its list; what comes after is another matter.
  const scheme = kind === 'header' ? ONE_WORD.exec(value)?.[0] : undefined;
  if (scheme !== undefined) return at + scheme.length;
  return at + value.trimEnd().length;
}

function endOfLine({ inDouble, inSingle }: Found): RegExp {
  if (inDouble !== false) return /[\r\n"]|\\+[nrt"']/;
  return inSingle !== false ? /[\r\n']|\\+[nrt"']/ : /[\r\n]|\\+[nrt]/;
}

function indexOrEnd(text: string, pattern: RegExp): number {
  const index = text.search(pattern);
  return index === -1 ? text.length : index;
}

const CALL = /^[A-Za-z_$][\w$.]*\(.*\)[,;]?$/;
const STATEMENT = /^[\w$.]+!?[,;]$|[([{]$|=>|^(?:await|new|typeof|async|function) /;
const MEMBER_OF =
  /^(?:process|import|env|req|request|res|ctx|context|this|self|config|options|opts|args|params|props|body|user|os)\??[.[]/;
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[,;]?$/;
/** A passphrase may have so many words; a longer text is a sentence about it. */
const MOST_WORDS = 6;

/** Whether a bare value is an expression or a sentence: there is no secret in `password: user.password`. */
function isCode(value: string, next: string, { name, kind, separator, spaced, atLineStart }: Found): boolean {
  if (kind === 'header') return !SCHEME.test(value) && !value.includes('=') && !isOpaque(value);
  const isAssignment = separator === '=' && !spaced;
  if (next === '(' || CALL.test(value) || MEMBER_OF.test(value)) return true;
  if (MEMBER.test(value) && isSecretName(value.replace(/\W$/, ''))) return true;
  if (!isAssignment && STATEMENT.test(value)) return true;
  if (value.toLowerCase() === name.toLowerCase()) return true;
  if (isAssignment) return !atLineStart && (value.length < 4 || isSecretName(value));
  if (!atLineStart || spaced) return !isOpaque(value);
  return value.split(/\s+/).length > (PASSWORD.test(name) ? MOST_WORDS : 1);
}

/** Looks made by a machine, or like a password that someone was made to choose: letters and digits, no white space. */
function isOpaque(value: string): boolean {
  return /^(?=\D{0,256}\d)(?=[^A-Za-z]{0,256}[A-Za-z])\S{6,}$/.test(value.slice(0, 512));
}

/** The span, without an authorization scheme before it, unless what it holds is no secret. */
function keepHarmless(text: string, { start, end }: Span, { kind, name }: Found): readonly Span[] {
  const scheme = SCHEME.exec(text.slice(start, Math.min(end, start + 64)))?.[0].length ?? 0;
  const value = text.slice(start + scheme, Math.min(end, start + scheme + 512));
  if (isPlaceholder(value) || value.toLowerCase() === name.toLowerCase()) return [];
  if (kind === 'maybe' && !isOpaque(value) && (scheme === 0 || !/.[A-Z]/.test(value))) return [];
  // `'Bearer ' + token` holds the scheme alone.
  if (SCHEME.test(`${value} `) && !/\s/.test(value)) return [];
  return [{ start: start + scheme, end }];
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
