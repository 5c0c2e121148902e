import { REDACTION_MARK } from '@harperfast/agent-core/contracts';

/** What stands right before and after a text that is shown, and is not shown itself. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

/** A text without secret values, and how many stretches of it are masks now. */
export interface MaskedText {
  readonly text: string;
  readonly masked: number;
}

/** The longest form that is looked for, in characters: what `before` and `after` have to hold for nothing to slip by. */
export const LONGEST_VALUE = 4096;

const SHORTEST_VALUE = 8;
const SHORTEST_WORD = 16;

/**
 * The texts that give a secret away: the value, as JSON writes it, and each long line of it. Values under 8 characters,
 * and plain words under 16, are left out: their mask would stand all over harmless text and give them away by its places.
 */
export function secretForms(values: readonly string[]): readonly string[] {
  const telling = values.filter(isTelling);
  const lines = telling.flatMap((value) => (value.includes('\n') ? value.split(/\r?\n/) : []));
  const parts = [...telling, ...lines.filter((line) => line.length >= SHORTEST_WORD)];
  const forms = parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]);
  return [...new Set(forms.flatMap(inPieces))];
}

/** A longer form is looked for in pieces of about the longest length, the last of which overlaps the one before. */
function inPieces(form: string): readonly string[] {
  const last = Math.max(0, form.length - LONGEST_VALUE);
  const pieces = Array.from({ length: Math.ceil(form.length / LONGEST_VALUE) }, (_, index) =>
    Math.min(index * LONGEST_VALUE, last),
  );
  return pieces.map((at) =>
    form.slice(wholeFrom(form, at), Math.min(wholeFrom(form, at + LONGEST_VALUE), form.length)),
  );
}

/** The next place that divides no character: half of one is in no bytes. */
function wholeFrom(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** Puts a mark in place of every form, also where only a part of it reaches into the text. */
export function maskValues(
  text: string,
  forms: readonly string[],
  { before, after }: Around = { before: '', after: '' },
): MaskedText {
  const whole = before + text + after;
  const end = before.length + text.length;
  let shown = '';
  let masked = 0;
  let at = before.length;
  for (const span of valueSpans(whole, forms)) {
    if (span.end <= at || span.start >= end) continue;
    shown += whole.slice(at, Math.max(at, span.start)) + REDACTION_MARK;
    masked++;
    at = Math.min(span.end, end);
  }
  return masked === 0 ? { text, masked } : { text: shown + whole.slice(at, end), masked };
}

/** A stretch of a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where forms stand in a text, in order; those that overlap are one stretch. */
export function valueSpans(text: string, forms: readonly string[]): readonly Span[] {
  const spans: { start: number; end: number }[] = [];
  const found = forms.flatMap((form) => occurrences(text, form));
  for (const span of found.toSorted((one, other) => one.start - other.start)) {
    const last = spans.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else spans.push({ ...span });
  }
  return spans;
}

function occurrences(text: string, form: string): Span[] {
  const found: Span[] = [];
  let at = text.indexOf(form);
  if (at === -1) return found;
  // The next one may begin within this one, but no earlier than that.
  for (const step = period(form); at !== -1; at = text.indexOf(form, at + step)) {
    found.push({ start: at, end: at + form.length });
  }
  return found;
}

/** By how many characters, at least, a text has to be moved to fit itself. */
function period(text: string): number {
  const borders = [0];
  for (let at = 1, border = 0; at < text.length; at++) {
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[at] === text[border]) border++;
    borders.push(border);
  }
  return text.length - (borders.at(-1) ?? 0);
}

function isTelling(value: string): boolean {
  const length = value.trim().length;
  return length >= SHORTEST_VALUE && (length >= SHORTEST_WORD || !/^(?:[a-z]+|\d+)$/i.test(value.trim()));
}
