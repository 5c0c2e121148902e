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
  return [...new Set(forms.map((form) => form.slice(0, LONGEST_VALUE)))];
}

/** Puts a mark in place of every form, also where only a part of it reaches into the text. */
export function maskValues(
  text: string,
  forms: readonly string[],
  { before, after }: Around = { before: '', after: '' },
): MaskedText {
  const whole = before + text + after;
  const spans = forms
    .flatMap((form) => occurrences(whole, form))
    .toSorted((one, other) => one.start - other.start);
  const end = before.length + text.length;
  let shown = '';
  let masked = 0;
  let at = before.length;
  for (const span of spans) {
    if (span.end <= at || span.start >= end) continue;
    // Spans that overlap share a mark.
    if (masked === 0 || span.start >= at) {
      shown += whole.slice(at, Math.max(at, span.start)) + REDACTION_MARK;
      masked++;
    }
    at = Math.min(span.end, end);
  }
  return masked === 0 ? { text, masked } : { text: shown + whole.slice(at, end), masked };
}

function occurrences(text: string, form: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
    found.push({ start: at, end: at + form.length });
  }
  return found;
}

function isTelling(value: string): boolean {
  const length = value.trim().length;
  return length >= SHORTEST_VALUE && (length >= SHORTEST_WORD || !/^(?:[a-z]+|\d+)$/i.test(value.trim()));
}
