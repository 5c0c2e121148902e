import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Redactor } from '../contracts/index.js';
import { createExactValues } from './exact-values.js';
import { findNamedValues } from './named-values.js';
import { findPrivateKeys } from './private-keys.js';
import { maskSpans, NO_SPAN } from './span.js';
import type { Detector, Span } from './span.js';
import { findTokenShapes } from './token-shapes.js';
import { findUrlPasswords } from './url-passwords.js';

/** What a redactor knows and may ask. */
export interface RedactorOptions {
  /** The secrets to look for. Asked for each text; answer the same array until they change. */
  readonly values?: () => readonly string[];
  /** Finds further secrets by their shape. Where it rejects, the text is masked as if it had found none. */
  readonly scan?: (text: string) => Promise<readonly Pick<Span, 'start' | 'end'>[]>;
  /** Shorter values are not looked for. Default 6. */
  readonly minValueLength?: number;
}

/** A mask can bring out what stood beside it; after so many looks what is left is left. */
const MOST_PASSES = 4;
/** From this length on other work gets a turn between two detectors, and within one each time this many steps are done. */
const LONG_TEXT = 64 * 1024;
const STEPS = 128;

/**
 * A redactor that masks, in any text, known values in all their forms, private keys, tokens that give themselves away
 * and passwords in URLs; in what tools return also values beside names of secrets. It never rejects, takes time in
 * proportion to the text, keeps JSON valid, and redacting twice changes nothing.
 */
export function createRedactor({
  values = () => [],
  scan,
  minValueLength = 6,
}: RedactorOptions = {}): Redactor {
  const anywhere: readonly Detector[] = [
    createExactValues(values, minValueLength),
    findPrivateKeys,
    findTokenShapes,
    findUrlPasswords,
  ];
  const inOutput: readonly Detector[] = [...anywhere, findNamedValues];

  async function redactBy(detectors: readonly Detector[], text: string): Promise<string> {
    let current = text;
    for (let pass = 0; pass < MOST_PASSES && current !== ''; pass += 1) {
      const spans = await scanned(current);
      for (const detect of detectors) {
        let step = 0;
        for (const span of detect(current)) {
          if (span !== NO_SPAN) spans.push(span);
          step += 1;
          if (step % STEPS === 0 && current.length > LONG_TEXT) await nextTurn();
        }
        if (current.length > LONG_TEXT) await nextTurn();
      }
      const masked = maskSpans(current, spans);
      if (masked === current) break;
      current = masked;
    }
    return current;
  }

  async function scanned(text: string): Promise<Span[]> {
    try {
      return scan === undefined ? [] : [...(await scan(text))];
    } catch {
      return [];
    }
  }

  return {
    redact: (text) => redactBy(anywhere, text),
    redactOutput: (text) => redactBy(inOutput, text),
  };
}
