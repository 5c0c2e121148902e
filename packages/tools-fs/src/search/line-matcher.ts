import { isAscii } from 'node:buffer';
import { RE2JS, RE2JSException } from 're2js';
import { requiredLiterals } from './required-literals.js';

/** Finds lines. A line is given without its line break. */
export interface LineMatcher {
  /** Looks for lines in these bytes: where from `from` on the next line that may match has a byte, or -1. */
  candidates(bytes: Buffer): (from: number) => number;
  /** Where in the line the first match begins, or -1. */
  find(line: string): number;
}

export interface LinePattern {
  readonly pattern: string;
  /** The pattern is a text to look for, not an expression. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

/** Takes time in proportion to the text, whatever the pattern. Throws an `Error` that says what is wrong with it. */
export function createLineMatcher({ pattern, literal, ignoreCase }: LinePattern): LineMatcher {
  const fixed = literal ? [pattern] : requiredLiterals(pattern);
  if (literal && !ignoreCase) {
    return {
      candidates: (bytes) => nextOf([pattern], (text, from) => bytes.indexOf(text, from)),
      find: (line) => line.indexOf(pattern),
    };
  }
  const expression = compile(
    literal ? RE2JS.quote(pattern) : pattern,
    ignoreCase ? RE2JS.CASE_INSENSITIVE : 0,
  );
  const find = (line: string) => {
    if (!expression.test(line)) return -1;
    const matcher = expression.matcher(line);
    return matcher.find() ? matcher.start() : -1;
  };
  if (fixed === undefined) return { candidates: () => (from) => from, find };
  if (!ignoreCase)
    return { candidates: (bytes) => nextOf(fixed, (text, from) => bytes.indexOf(text, from)), find };
  const lower = fixed.map((text) => text.toLowerCase());
  return {
    candidates(bytes) {
      // Beyond ASCII, letters fold in ways that bytes do not show.
      if (!isAscii(bytes) || !lower.every((text) => isAscii(Buffer.from(text)))) return (from) => from;
      const folded = bytes.toString('latin1').toLowerCase();
      return nextOf(lower, (text, from) => folded.indexOf(text, from));
    },
    find,
  };
}

/** The nearest of several texts; each is looked for once, however often it is asked for. */
function nextOf(
  texts: readonly string[],
  search: (text: string, from: number) => number,
): (from: number) => number {
  const places = texts.map((text) => ({ text, at: -2 }));
  return (from) => {
    let nearest = -1;
    for (const place of places) {
      if (place.at !== -1 && place.at < from) place.at = search(place.text, from);
      if (place.at !== -1 && (nearest === -1 || place.at < nearest)) nearest = place.at;
    }
    return nearest;
  };
}

function compile(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new Error(error.message, { cause: error });
  }
}
