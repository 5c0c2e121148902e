import { LONGEST_VALUE, maskValues } from '../root/mask-values.js';
import { KEY_REACH, holdsPrivateKey } from '../root/secrets.js';
import { characterStart, cutBefore, decodeUtf8 } from '../text/utf8.js';
import { readSpan } from './file-span.js';

/** A line as it is shown: its text, whole or the part around the match. */
export interface ShownText {
  readonly text: string;
  /** Parts of the line were left out. */
  readonly cut: boolean;
}

/** Why a line is not shown, and with it nothing of its file. */
export type Withheld = 'key' | 'binary';

const LINE_BYTES = 500;
/** How far lines around a match are looked for. */
const CONTEXT_BYTES = 16 * 1024;
const NEWLINE = 0x0a;

/** The line from `start` to `end`; of a long one, what is around `at`. */
export function showLine(
  descriptor: number,
  { start, end, at }: { readonly start: number; readonly end: number; readonly at: number },
  forms: readonly string[],
): ShownText | Withheld {
  const from =
    end - start <= LINE_BYTES ? start : Math.max(start, Math.min(at - LINE_BYTES / 4, end - LINE_BYTES));
  const to = Math.min(end, from + LINE_BYTES);
  // A character more on both sides, and the values that reach into the part.
  const reach = LONGEST_VALUE * 4;
  const first = Math.max(start, from - reach);
  const span = readSpan(descriptor, first, Math.min(end, to + reach));
  return show(span, from - first, to - first, forms);
}

/** Up to `count` lines that end where the line at `start` begins, and then up to `count` from `end` on. */
export function showAround(
  descriptor: number,
  { start, end }: { readonly start: number; readonly end: number },
  count: number,
  forms: readonly string[],
): { readonly before: readonly ShownText[]; readonly after: readonly ShownText[] } | Withheld {
  const first = Math.max(0, start - CONTEXT_BYTES - KEY_REACH);
  const before = readSpan(descriptor, first, start);
  const after = readSpan(descriptor, end, end + CONTEXT_BYTES);
  if (holdsPrivateKey(before.toString('latin1')) || holdsPrivateKey(after.toString('latin1'))) return 'key';
  const shownBefore = showAll(before, lastLines(before, count, first === 0), forms);
  const shownAfter = showAll(after, firstLines(after, count, after.length < CONTEXT_BYTES), forms);
  if (typeof shownBefore === 'string') return shownBefore;
  if (typeof shownAfter === 'string') return shownAfter;
  return { before: shownBefore, after: shownAfter };
}

type Span = readonly [from: number, to: number];

/** `bytes` ends with the line break of the last one. A first one that may have begun before is left out. */
function lastLines(bytes: Buffer, count: number, whole: boolean): readonly Span[] {
  const lines: Span[] = [];
  for (let to = bytes.length - 1; lines.length < count && to >= 0;) {
    const from = to === 0 ? 0 : bytes.lastIndexOf(NEWLINE, to - 1) + 1;
    if (from === 0 && !whole) break;
    lines.unshift([from, to]);
    to = from - 1;
  }
  return lines;
}

/** `bytes` begins with the line break before the first one. A last one that goes on behind them has to be cut anyway. */
function firstLines(bytes: Buffer, count: number, whole: boolean): readonly Span[] {
  const lines: Span[] = [];
  for (let from = 1; lines.length < count && from < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline === -1 ? bytes.length : newline;
    if (newline === -1 && !whole && to - from <= LINE_BYTES) break;
    lines.push([from, to]);
    from = to + 1;
  }
  return lines;
}

function showAll(
  bytes: Buffer,
  lines: readonly Span[],
  forms: readonly string[],
): readonly ShownText[] | Withheld {
  const shown: ShownText[] = [];
  for (const [from, to] of lines) {
    const line = bytes.subarray(from, to);
    const text = show(line, 0, Math.min(line.length, LINE_BYTES), forms);
    if (typeof text === 'string') return text;
    shown.push(text);
  }
  return shown;
}

/** The bytes of a line from `from` to `to`, on the borders of characters, without secret values. */
function show(line: Buffer, from: number, to: number, forms: readonly string[]): ShownText | Withheld {
  const start = from === 0 ? 0 : characterStart(line, from);
  const end = to === line.length ? to : cutBefore(line, to);
  const part = line.subarray(start, end);
  if (part.includes(0)) return 'binary';
  const cut = start > 0 || end < line.length;
  const decoded = decodeUtf8(part);
  if (decoded === undefined) return { text: '(not valid UTF-8: not shown)', cut };
  const around = { before: line.toString('utf8', 0, start), after: line.toString('utf8', end) };
  return { text: maskValues(decoded, forms, around).text.replace(/\r$/, ''), cut };
}
