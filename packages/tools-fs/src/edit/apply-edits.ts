import { nearestMatch } from './nearest-match.js';
import { numbered } from './numbered.js';

/** One exact replacement. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Replaces every place instead of the only one. */
  readonly replaceAll: boolean;
}

/** The text after all edits and how many places each changed; or what is wrong with one of them. */
export type Edited =
  | { readonly text: string; readonly counts: readonly number[] }
  | { readonly problem: string };

const BOM = '\uFEFF';
const LISTED = 10;

/**
 * Applies edits in order, each to what the one before left: all of them or none. A byte order mark stays. Where every
 * line ends in CRLF, new lines do too; `oldText` may be written with plain newlines.
 */
export function applyEdits(original: string, edits: readonly Edit[], maxLength: number): Edited {
  const mark = original.startsWith(BOM) ? BOM : '';
  const crlf = endsInCrlf(original);
  let text = original.slice(mark.length);
  const counts: number[] = [];
  for (const [index, edit] of edits.entries()) {
    const { oldText, newText } = fit(text, edit, crlf);
    const which = edits.length === 1 ? 'oldText' : `oldText of edit ${index + 1}`;
    if (oldText === newText)
      return { problem: `${which} and newText are the same: there is nothing to change.` };
    if (splitsLineEnding(text, oldText)) {
      return {
        problem: `${which} begins or ends between the \\r and the \\n of a line ending: take in both or neither.`,
      };
    }
    const first = text.indexOf(oldText);
    if (first === -1) return { problem: notFound(text, oldText, which) };
    if (!edit.replaceAll) {
      if (text.includes(oldText, first + 1)) return { problem: notUnique(text, oldText, which) };
      text = text.slice(0, first) + newText + text.slice(first + oldText.length);
      counts.push(1);
    } else {
      const parts = text.split(oldText);
      const count = parts.length - 1;
      const length = text.length + count * (newText.length - oldText.length);
      if (length > maxLength) return { problem: `the file would have more than ${maxLength} bytes.` };
      text = parts.join(newText);
      counts.push(count);
    }
  }
  return { text: mark + text, counts };
}

function endsInCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
}

/** The edit in the line endings of the text. */
function fit(text: string, edit: Edit, crlf: boolean): { oldText: string; newText: string } {
  const oldText = withoutMark(edit.oldText);
  const newText = withoutMark(edit.newText);
  if (crlf) return { oldText: toCrlf(oldText), newText: toCrlf(newText) };
  const converted = toCrlf(oldText);
  if (converted !== oldText && !text.includes(oldText) && text.includes(converted)) {
    return { oldText: converted, newText: toCrlf(newText) };
  }
  return { oldText, newText };
}

/** What is left of half a line ending would be a line of its own to some programs and none to others. */
function splitsLineEnding(text: string, oldText: string): boolean {
  return (
    (oldText.startsWith('\n') && text.includes(`\r${oldText}`)) ||
    (oldText.endsWith('\r') && text.includes(`${oldText}\n`))
  );
}

function withoutMark(text: string): string {
  return text.startsWith(BOM) && text.length > 1 ? text.slice(1) : text;
}

function toCrlf(text: string): string {
  return text.replace(/(?<!\r)\n/g, '\r\n');
}

function notFound(text: string, oldText: string, which: string): string {
  const head = `${which} was not found`;
  const nearest = nearestMatch(text, oldText);
  if (nearest === undefined) return `${head}, and nothing like it. Read the file again.`;
  const { firstLine, lines, difference } = nearest;
  return `${head}. The nearest is${difference === undefined ? '' : ` (it differs ${difference})`}:\n${numbered(lines, firstLine)}`;
}

function notUnique(text: string, oldText: string, which: string): string {
  const places: number[] = [];
  let line = 1;
  let counted = 0;
  let at = text.indexOf(oldText);
  for (; at !== -1 && places.length < LISTED; at = text.indexOf(oldText, at + 1)) {
    for (
      let next = text.indexOf('\n', counted);
      next !== -1 && next < at;
      next = text.indexOf('\n', counted)
    ) {
      line++;
      counted = next + 1;
    }
    places.push(line);
  }
  const found = at === -1 ? `${places.length} times` : `more than ${LISTED} times`;
  return (
    `${which} was found ${found}, at lines ${places.join(', ')}. ` +
    `Add lines around it until it is the only one, or set replaceAll.`
  );
}
