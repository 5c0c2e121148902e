import { NO_SPAN } from './span.js';
import type { Detector, Span } from './span.js';
import { formsOf, isMaskableValue } from './value-forms.js';

/**
 * Finds known secrets, in every form of `formsOf`, wherever they stand and however they overlap. `values` is asked
 * each time; what it answers is prepared anew only when it is another array.
 */
export function createExactValues(values: () => readonly string[], minLength: number): Detector {
  let preparedFrom: readonly string[] | undefined;
  let forms: readonly string[] = [];
  return function* findExactValues(text) {
    const current = values();
    if (current !== preparedFrom) {
      forms = prepare(current, minLength);
      preparedFrom = current;
    }
    for (const form of forms) {
      yield NO_SPAN;
      yield* occurrences(text, form);
    }
  };
}

function prepare(values: readonly string[], minLength: number): readonly string[] {
  const maskable = values.filter((value) => isMaskableValue(value, minLength));
  const forms = new Set<string>();
  for (const value of maskable) for (const form of formsOf(value)) forms.add(form);
  return [...forms];
}

function occurrences(text: string, form: string): readonly Span[] {
  const found: { start: number; end: number }[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const last = found.at(-1);
    // Occurrences that overlap are one stretch, or a value of one repeated character would give one span a character.
    if (last !== undefined && at < last.end) last.end = at + form.length;
    else found.push({ start: startOf(text, at), end: at + form.length });
  }
  return /^\d+$/.test(form) ? quoteNumbers(text, found) : found;
}

/** `\n` before a value that begins with `n` may be one escape: it is masked whole, or a lone backslash would stay. */
function startOf(text: string, at: number): number {
  return 'nrtbfu"/\\'.includes(text.charAt(at)) && isEscaped(text, at) ? at - 1 : at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - backslashes - 1] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** A number of JSON becomes a string; one within a string of JSON has its quotes. */
function quoteNumbers(text: string, found: readonly Span[]): readonly Span[] {
  if (found.length === 0 || !/^\s*[[{]/.test(text)) return found;
  let inString = false;
  let quote = text.indexOf('"');
  return found.map((span) => {
    for (; quote !== -1 && quote < span.start; quote = text.indexOf('"', quote + 1)) {
      if (!inString || !isEscaped(text, quote)) inString = !inString;
    }
    return inString || /[\w.]/.test(text.charAt(span.end)) ? span : { ...span, quote: '"' };
  });
}
