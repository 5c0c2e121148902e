import type { Span } from './span.js';

/**
 * Texts that are credentials by their shape, whoever issued them: JSON Web Tokens, the keys that model providers and
 * payment services begin with `sk-` or `sk_`, and what stands behind `Bearer`. A mark on the left counts as part of a
 * word, so that what was masked before reveals no new beginning.
 */
const SHAPES = [
  /(?<![\w\]-])eyJ[\w-]{10,4096}\.eyJ[\w-]{4,8192}\.[\w-]{16,4096}/g,
  /(?<![\w\]-])sk[-_](?=[\w-]{0,256}\d)(?=[\w-]{0,256}[A-Z])[\w-]{20,512}/g,
  /(?<![\w\]-])sk[-_](?:[a-z]{2,12}[-_]){0,3}[a-f0-9]{32,128}(?![\w-])/g,
  /(?<=(?<![\w\]-])Bearer )(?=[\w.~+/-]{0,256}\d)[\w.~+/-]{20,4096}={0,2}/gi,
];

/** Finds tokens that give themselves away. Each pattern has bounds, so a hostile text costs no more than a long one. */
export function findTokenShapes(text: string): readonly Span[] {
  return SHAPES.flatMap((shape) =>
    [...text.matchAll(shape)].map(({ 0: token, index }) => ({ start: index, end: index + token.length })),
  );
}
