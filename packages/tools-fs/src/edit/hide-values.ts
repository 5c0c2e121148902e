import { REDACTION_MARK } from '@harperfast/agent-core/contracts';
import { valueSpans } from '../root/mask-values.js';

/** Half a character: no valid text, and so no edit, holds it. */
const STAND_IN = '\uD800';
const STAND_INS = /\uD800(?![\uDC00-\uDFFF])/g;

/** A text in which secret values cannot be found, changed or compared with. */
export interface HiddenValues {
  /** Each line of a value is one stand-in. */
  readonly text: string;
  /** Puts the values back where their stand-ins are, which must be all there, in order. */
  restore(text: string): string;
  /** Puts a mark in place of each stand-in. */
  show(text: string): string;
}

/** Takes the values out of a text that is to be edited, so that nothing an edit answers depends on them. */
export function hideValues(text: string, forms: readonly string[]): HiddenValues {
  const values: string[] = [];
  let hidden = '';
  let at = 0;
  for (const { start, end } of valueSpans(text, forms)) {
    const standIns = text.slice(start, end).replace(/[^\r\n]+/g, (value) => {
      values.push(value);
      return STAND_IN;
    });
    hidden += text.slice(at, start) + standIns;
    at = end;
  }
  return {
    text: hidden + text.slice(at),
    restore(edited) {
      let next = 0;
      return edited.replace(STAND_INS, () => values[next++] ?? '');
    },
    show: (edited) => edited.replace(STAND_INS, REDACTION_MARK),
  };
}

/** The values in a text, as they stand there. */
export function valuesIn(text: string, forms: readonly string[]): readonly string[] {
  return valueSpans(text, forms).map(({ start, end }) => text.slice(start, end));
}
