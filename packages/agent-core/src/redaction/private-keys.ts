import type { Span } from './span.js';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** Base64, white space, escapes, the header lines of encrypted keys, and what listings put before a line. */
const BODY = /[A-Za-z0-9+/=\s\\:,._|>]+/y;
/** Less than this between the lines is talk about keys, not a key. */
const SHORTEST_BODY = 32;

/**
 * Finds private keys in PEM or PGP armor, from the first line to the last, also within JSON strings and listings with
 * line numbers. A key whose end was cut off ends where its characters do. Certificates and public keys are public.
 */
export function findPrivateKeys(text: string): readonly Span[] {
  const found: Span[] = [];
  for (const { 0: armor, index } of text.matchAll(BEGIN)) {
    const bodyStart = index + armor.length;
    const bodyEnd = endOfBody(text, bodyStart);
    if (bodyEnd - bodyStart < SHORTEST_BODY) continue;
    END.lastIndex = bodyEnd;
    found.push({ start: index, end: END.test(text) ? END.lastIndex : lastOfKey(text, bodyEnd) });
  }
  return found;
}

/** A dash is part of a header line; five of them begin the next line of armor. */
function endOfBody(text: string, from: number): number {
  let at = from;
  while (at < text.length && !text.startsWith('-----', at)) {
    BODY.lastIndex = at;
    if (BODY.test(text)) at = BODY.lastIndex;
    else if (text.charAt(at) === '-') at += 1;
    else break;
  }
  return at;
}

/** Where a key that was cut off ends: what follows it may be half an escape, which belongs to the quote behind it. */
function lastOfKey(text: string, bodyEnd: number): number {
  let end = bodyEnd;
  while (!/[A-Za-z0-9+/=]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
