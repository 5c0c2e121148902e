import { isPlaceholder } from './placeholder.js';
import type { Span } from './span.js';

const USER_INFO = /([^\s/?#@:"'`<>\\]{0,128}):([^\s/?#"'`<>\\]{1,256})@(?=[\w[{$%])/y;

/** Finds the passwords of URLs: `scheme://user:password@host`. The rest of the URL stays. */
export function findUrlPasswords(text: string): readonly Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    USER_INFO.lastIndex = at + 3;
    const match = USER_INFO.exec(text);
    if (match === null) continue;
    const { 1: user = '', 2: password = '' } = match;
    const start = at + 3 + user.length + 1;
    if (!isPlaceholder(password)) found.push({ start, end: start + password.length });
  }
  return found;
}
