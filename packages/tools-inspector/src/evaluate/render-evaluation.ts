import { isTruncated, renderTree } from '../render/render-tree.js';
import type { Evaluation } from './evaluation.js';

/** The most characters of one answer. */
const MOST = 24_000;

/** A value or preview as text for a model. */
export function renderEvaluation(evaluation: Extract<Evaluation, { kind: 'value' | 'preview' }>): {
  readonly text: string;
  readonly truncated: boolean;
} {
  if (evaluation.kind === 'preview') {
    return { text: `${evaluation.text} (it cannot be looked into without side effects)`, truncated: true };
  }
  const { threw, tree, stack } = evaluation;
  const value = `${renderTree(tree)}${stack === undefined ? '' : `\n${stack}`}`;
  const text = threw ? `The expression threw ${value}` : value;
  if (text.length <= MOST) return { text, truncated: isTruncated(tree) };
  return { text: `${text.slice(0, MOST)}\n… (${text.length - MOST} more characters)`, truncated: true };
}
