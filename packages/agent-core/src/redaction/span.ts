import { REDACTION_MARK } from '../contracts/index.js';

/** A stretch of text that is to be masked: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Stands on both sides of the mark: the quotes a bare number lacks, so that JSON stays JSON. */
  readonly quote?: string;
}

/**
 * Finds what must not be seen in a text. Never throws; takes time in proportion to the text, whatever it holds. Between
 * two spans other work may get a turn; a detector that finds little gives `NO_SPAN` now and then.
 */
export type Detector = (text: string) => Iterable<Span>;

/** Masks nothing. */
export const NO_SPAN: Span = { start: 0, end: 0 };

/**
 * The text with a mark in place of every span. Spans that overlap, or reach into a mark that is there already, become
 * one mark; a character of two UTF-16 units is never cut.
 */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const merged = mergeSpans([...marksIn(text), ...spans.map((span) => onCharacters(text, span))]);
  let masked = '';
  let at = 0;
  for (const { start, end, quote = '' } of merged) {
    masked += text.slice(at, start) + quote + REDACTION_MARK + quote;
    at = end;
  }
  return masked + text.slice(at);
}

function mergeSpans(spans: Span[]): readonly Span[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (span.end <= span.start) continue;
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { start: last.start, end: span.end };
  }
  return merged;
}

function marksIn(text: string): Span[] {
  const marks: Span[] = [];
  for (let at = text.indexOf(REDACTION_MARK); at !== -1; at = text.indexOf(REDACTION_MARK, at + 1)) {
    marks.push({ start: at, end: at + REDACTION_MARK.length });
  }
  return marks;
}

function onCharacters(text: string, span: Span): Span {
  const start = Math.max(0, splitsPair(text, span.start) ? span.start - 1 : span.start);
  const end = Math.min(text.length, splitsPair(text, span.end) ? span.end + 1 : span.end);
  return start === span.start && end === span.end ? span : { ...span, start, end };
}

function splitsPair(text: string, at: number): boolean {
  return isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(at), 0xdc00, 0xdfff);
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
