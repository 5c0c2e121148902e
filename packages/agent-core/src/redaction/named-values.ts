import { readValue } from './read-value.js';
import type { Found } from './read-value.js';
import { kindOfName } from './secret-name.js';
import type { NameKind } from './secret-name.js';
import { NO_SPAN } from './span.js';
import type { Span } from './span.js';

const HINT = /pass|secret|token|credential|authorization|cookie|key|jwt|pwd|auth|sess|sid|sig|bearer/gi;
const LONGEST_NAME = 96;
const LONGEST_PREFIX = 320;
/** Behind a name: its quote, a separator, white space. A second `=` would be a comparison. */
const SEPARATOR = /((?:\\{0,63}["'`])?)([ \t]{0,20})(=>|:=|:(?!:)|=(?![=~]))([ \t]{0,20})/y;
const FLAG_SPACE = /[ \t]{1,4}(?=[^\s-])/y;
/** `{"name": "Authorization", "value": "…"}` and `- name: DB_PASSWORD` with its `value:` on the next line. */
const PAIRED_VALUE =
  /(?:\\{0,63}["'`])?(?:\s|\\[nrt]|,){1,40}(\\{0,63}["'`]?)value(?:\\{0,63}["'`])?[ \t]{0,20}[:=][ \t]{0,20}/y;
const PAIRED_NAME = /(?:name|key|header|attribute|field)["'`\\]{0,64}\s{0,20}[:=]\s{0,20}["'`\\]{0,64}$/i;
const LINE_START = /^(?:[\w./@~-]{1,200}:\d{1,9}:)?[\s\d|><+*:#-]*(?:(?:export|set|ENV)\s{1,8})?$/;

/**
 * Finds the values that stand beside names of secrets in structured text: JSON, also within strings of JSON, what an
 * inspector prints, headers, YAML, env and ini lines, also as a search lists them, parameters of URLs and forms, flags
 * of commands, and pairs of name and value. Not in XML, nor in blocks of YAML under a name.
 */
export function* findNamedValues(text: string): Iterable<Span> {
  const hint = new RegExp(HINT);
  const kinds = new Map<string, NameKind | undefined>();
  for (let match = hint.exec(text); match !== null; match = hint.exec(text)) {
    const { start, end } = nameAround(text, match.index, hint.lastIndex);
    hint.lastIndex = Math.max(hint.lastIndex, end);
    yield NO_SPAN;
    const name = text.slice(start, end);
    const kind = kinds.has(name) ? kinds.get(name) : kindOfName(name);
    kinds.set(name, kind);
    if (kind === undefined) continue;
    const place = placeOfValue(text, start, end);
    if (place === undefined) continue;
    const { spans, next } = readValue(text, { name, kind, ...place });
    yield* spans;
    hint.lastIndex = Math.max(hint.lastIndex, next);
  }
}

function nameAround(text: string, hintStart: number, hintEnd: number): { start: number; end: number } {
  let start = hintStart;
  let end = hintEnd;
  while (start > hintStart - LONGEST_NAME && isNameChar(text.charCodeAt(start - 1))) start -= 1;
  while (end < hintEnd + LONGEST_NAME && isNameChar(text.charCodeAt(end))) end += 1;
  // In a string of JSON a line may begin with `\n`: its `n` is no part of the name.
  if (text[start - 1] === '\\' && 'nrt'.includes(text.charAt(start)) && start < hintStart) start += 1;
  // `API key: …`, as people write it.
  if (/^keys?$/i.test(text.slice(start, end)) && text[start - 1] === ' ')
    start = nameAround(text, start - 1, start).start;
  return { start, end };
}

function isNameChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

function placeOfValue(text: string, start: number, end: number): Omit<Found, 'name' | 'kind'> | undefined {
  SEPARATOR.lastIndex = end;
  const match = SEPARATOR.exec(text);
  if (match !== null) {
    const { 1: nameQuote = '', 2: before = '', 3: sign = '', 4: after = '' } = match;
    if (nameQuote !== '' && !isQuotedName(text, start, nameQuote)) return undefined;
    const separator = sign === '=' || sign === ':=' ? '=' : ':';
    const spaced = separator === '=' && before !== '' && after !== '';
    return { ...placeOnLine(text, start, separator), at: SEPARATOR.lastIndex, separator, nameQuote, spaced };
  }
  PAIRED_VALUE.lastIndex = end;
  const paired = PAIRED_NAME.test(text.slice(Math.max(0, start - 192), start))
    ? PAIRED_VALUE.exec(text)
    : null;
  if (paired !== null) {
    const nameQuote = paired[1] ?? '';
    const place = { ...placeOnLine(text, PAIRED_VALUE.lastIndex, ':'), atLineStart: nameQuote === '' };
    return { ...place, at: PAIRED_VALUE.lastIndex, separator: ':', nameQuote, spaced: false };
  }
  FLAG_SPACE.lastIndex = end;
  if (!text.startsWith('--', start) || !FLAG_SPACE.test(text)) return undefined;
  const place = { ...placeOnLine(text, start, ' '), atLineStart: false };
  return { ...place, at: FLAG_SPACE.lastIndex, separator: ' ', nameQuote: '', spaced: true };
}

/** A quote behind a name ends the quoted name only if the same kind of quote began it: `"password':"` is a text. */
function isQuotedName(text: string, start: number, nameQuote: string): boolean {
  const before = text.slice(Math.max(0, start - LONGEST_NAME), start);
  const opening = /["'`](?=[^"'`]*$)/.exec(before);
  return opening === null || opening[0] === nameQuote.at(-1);
}

/** Where a name stands on its line. Of a line that began far back nothing is known: it may be in quotes. */
function placeOnLine(
  text: string,
  start: number,
  separator: Found['separator'],
): Pick<Found, 'atLineStart' | 'inDouble' | 'inSingle'> {
  const from = Math.max(0, start - LONGEST_PREFIX);
  const before = text.slice(from, start);
  const line = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  if (line === 0 && from > 0) return { atLineStart: false, inDouble: 'maybe', inSingle: 'maybe' };
  const prefix = before.slice(line);
  // In a string of JSON lines begin behind `\n`.
  const escaped = Math.max(prefix.lastIndexOf('\\n'), prefix.lastIndexOf('\\r'));
  const quote = Math.max(prefix.lastIndexOf('"'), prefix.lastIndexOf("'"));
  return {
    // A string may begin with an assignment; what begins with `token: ` in quotes is a message.
    atLineStart:
      LINE_START.test(escaped === -1 ? prefix : prefix.slice(escaped + 2)) ||
      (separator === '=' && quote !== -1 && LINE_START.test(prefix.slice(quote + 1))),
    inDouble: isOpen(prefix, '"'),
    inSingle: isOpen(prefix, "'"),
  };
}

function isOpen(prefix: string, quote: string): boolean {
  let open = false;
  for (let at = prefix.indexOf(quote); at !== -1; at = prefix.indexOf(quote, at + 1))
    if (prefix[at - 1] !== '\\') open = !open;
  return open;
}
