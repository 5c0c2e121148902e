import { isDeepStrictEqual } from 'node:util';
import { holdsPrivateKey } from '../root/secrets.js';
import { notText } from '../text/not-text.js';
import { decodeUtf8 } from '../text/utf8.js';
import { type Edit, applyEdits } from './apply-edits.js';
import { hideValues, valuesIn } from './hide-values.js';
import { type DiffBounds, unifiedDiff } from './unified-diff.js';

/** An edit of one file's content, as plain data: it may be done in another thread. */
export interface EditJob {
  /** How the diff names the file. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly edits: readonly Edit[];
  /** What the secrets rule looks for now. */
  readonly forms: readonly string[];
  readonly maxBytes: number;
  readonly maxDiffLength: number;
  readonly bounds: DiffBounds;
}

/** The new content with what the model is shown of it. There is no diff where comparing took too long. */
export interface EditedContent {
  readonly bytes: Uint8Array;
  /** How many places each edit changed. */
  readonly counts: readonly number[];
  readonly diff?: { readonly text: string; readonly cut: boolean };
}

/** What came of an edit: what the content is instead of text, or what is wrong with the edits, or why none is made. */
export type EditResult =
  | EditedContent
  | { readonly notText: string }
  | { readonly problem: string }
  | { readonly refused: string };

/** Applies the edits, holds the result to the secrets rule and compares it with what was there. */
export function editText(job: EditJob): EditResult {
  const { edits, forms, path, maxBytes } = job;
  const original = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.length);
  const text = decodeUtf8(original);
  const what = notText(original);
  if (text === undefined || what !== undefined) return { notText: what ?? 'not valid UTF-8' };
  if (holdsPrivateKey(text)) {
    return {
      refused:
        'it holds a private key (PEM). No tool edits such a file, as its answer would tell about the key',
    };
  }
  if (edits.some(({ oldText, newText }) => [oldText, newText].some((part) => /\p{Surrogate}/u.test(part)))) {
    return { problem: 'an edit holds half of a character (a lone surrogate), which UTF-8 cannot carry.' };
  }
  const hidden = hideValues(text, forms);
  const edited = applyEdits(hidden.text, edits, maxBytes);
  if ('problem' in edited) return { problem: hidden.show(edited.problem) };
  const after = hidden.restore(edited.text);
  if (after === text) return { problem: 'the edits together leave the file as it is.' };
  if (holdsPrivateKey(after)) return { refused: 'it would hold a private key (PEM), which no tool writes' };
  if (!isDeepStrictEqual(valuesIn(after, forms), valuesIn(text, forms))) {
    return { refused: 'it would hold a secret this server was configured with, or a changed one' };
  }
  const bytes = Buffer.from(after);
  if (bytes.length > maxBytes) {
    return { problem: `the file would have ${bytes.length} bytes, the limit is ${maxBytes}.` };
  }
  const diff = unifiedDiff(path, hidden.show(hidden.text), hidden.show(edited.text), job.bounds);
  const done = { bytes, counts: edited.counts };
  return diff === undefined ? done : { ...done, diff: cut(diff, job.maxDiffLength) };
}

function cut(diff: string, maxLength: number): { text: string; cut: boolean } {
  if (diff.length <= maxLength) return { text: diff, cut: false };
  const end = diff.lastIndexOf('\n', maxLength);
  const part = diff.slice(0, end === -1 ? maxLength : end);
  return {
    text: `${part}\n(${diff.length - part.length} more characters of the diff are not shown.)\n`,
    cut: true,
  };
}
