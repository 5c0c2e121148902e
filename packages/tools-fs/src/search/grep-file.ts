import { fstatSync } from 'node:fs';
import { maskValues } from '../root/mask-values.js';
import { KEY_BYTES, holdsPrivateKey } from '../root/secrets.js';
import { KIND_BYTES, fileKind } from '../text/file-kind.js';
import { type Chunk, lineNumbers, readChunks, readSpan } from './file-span.js';
import type { LineMatcher } from './line-matcher.js';
import { type ShownText, type Withheld, showAround, showLine } from './show-lines.js';

/** A line of an answer: one that matched, or one beside it. */
export interface GrepLine extends ShownText {
  readonly number: number;
  readonly match: boolean;
}

/** What one file gave. A file that is withheld has no lines and counts for nothing. */
export interface FileMatches {
  readonly matches: number;
  readonly lines: readonly GrepLine[];
  /** Why the search did not reach the end of the file. */
  readonly stopped: Stopped | undefined;
}

/** Why a search stopped before its end. */
export type Stopped = 'limit' | 'time';

export interface FileGrep {
  readonly matcher: LineMatcher;
  /** `files` stops at the first match, `counts` counts them all, `lines` shows them. */
  readonly show: 'lines' | 'files' | 'counts';
  readonly context: number;
  /** Texts to mask. What matches only within a mask does not match. */
  readonly forms: readonly string[];
  readonly late: () => boolean;
}

/** How many matching lines one file may still show, and about how many bytes of them. */
export interface Room {
  readonly matches: number;
  readonly bytes: number;
}

interface Hit {
  readonly start: number;
  readonly end: number;
  /** Where the match begins, about. */
  readonly at: number;
}

const NEWLINE = 0x0a;

/**
 * Searches one open file, reading it into `buffer`. Says why where the file must not be shown: it matches and is binary,
 * or has a private key in what was read of it. Of a binary file only as much is read as fits the buffer.
 */
export function grepFile(
  descriptor: number,
  buffer: Buffer,
  grep: FileGrep,
  { matches: most, bytes: mostBytes }: Room,
): FileMatches | Withheld {
  const numberAt = lineNumbers(descriptor);
  const lines = new Map<number, GrepLine>();
  let text: boolean | undefined;
  const isTextFile = () => (text ??= isText(descriptor));
  let matches = 0;
  let bytes = 0;
  const answer = (stopped: Stopped | undefined): FileMatches => ({ matches, lines: inOrder(lines), stopped });
  for (const chunk of readChunks(descriptor, buffer)) {
    // No line of it would be shown, and databases are large.
    if (chunk.position > 0 && !isTextFile()) break;
    // Whether or not anything matches: else a search would tell, guess by guess, what the key is.
    if (holdsKey(chunk.bytes)) return 'key';
    for (const hit of hitsIn(chunk, grep)) {
      if (matches === 0 && !isTextFile()) return 'binary';
      matches++;
      if (grep.show === 'files') return answer('limit');
      if (grep.show === 'counts') continue;
      const added = addLines(descriptor, hit, numberAt(hit.start), grep, lines);
      if (typeof added === 'string') return added;
      bytes += added;
      if (matches === most || bytes > mostBytes) return answer('limit');
    }
    if (grep.late()) return answer('time');
  }
  return answer(undefined);
}

/** The lines of a chunk that match. */
function* hitsIn({ bytes, position }: Chunk, grep: FileGrep): Generator<Hit, void, undefined> {
  const next = grep.matcher.candidates(bytes);
  const masks = grep.forms.filter((form) => bytes.includes(form));
  for (let from = 0; from < bytes.length;) {
    const candidate = next(from);
    if (candidate === -1 || grep.late()) return;
    const start = candidate === 0 ? 0 : bytes.lastIndexOf(NEWLINE, candidate - 1) + 1;
    const newline = bytes.indexOf(NEWLINE, candidate);
    const end = newline === -1 ? bytes.length : newline;
    const line = bytes.toString('utf8', start, end).replace(/\r$/, '');
    const at = grep.matcher.find(masks.length === 0 ? line : maskValues(line, masks).text);
    if (at !== -1) {
      const begins = start + Buffer.byteLength(line.slice(0, at));
      yield { start: position + start, end: position + end, at: position + Math.min(end, begins) };
    }
    from = end + 1;
  }
}

function isText(descriptor: number): boolean {
  return fstatSync(descriptor).isFile() && fileKind(readSpan(descriptor, 0, KIND_BYTES)).text;
}

function holdsKey(bytes: Buffer): boolean {
  return bytes.includes(KEY_BYTES) && holdsPrivateKey(bytes.toString('latin1'));
}

/** Adds a line that matched and those around it; how many bytes that were, or why the file must not be shown. */
function addLines(
  descriptor: number,
  hit: Hit,
  number: number,
  { context, forms }: FileGrep,
  lines: Map<number, GrepLine>,
): number | Withheld {
  const shown = showLine(descriptor, hit, forms);
  if (typeof shown === 'string') return shown;
  lines.set(number, { ...shown, number, match: true });
  if (context === 0) return shown.text.length;
  const around = showAround(descriptor, hit, context, forms);
  if (typeof around === 'string') return around;
  const first = number - around.before.length;
  let bytes = shown.text.length;
  for (const [index, beside] of [...around.before, shown, ...around.after].entries()) {
    if (lines.has(first + index)) continue;
    lines.set(first + index, { ...beside, number: first + index, match: false });
    bytes += beside.text.length;
  }
  return bytes;
}

/** How much of an answer these lines are, about. */
export function bytesOf(lines: readonly GrepLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}

function inOrder(lines: ReadonlyMap<number, GrepLine>): readonly GrepLine[] {
  return [...lines.values()].toSorted((one, other) => one.number - other.number);
}
