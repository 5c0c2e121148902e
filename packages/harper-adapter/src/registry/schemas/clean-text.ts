/**
 * Text that somebody else wrote, on one line of at most `most` characters: no control characters, none that are
 * invisible or turn the direction of what follows, no half ones. A cut is marked.
 */
export function cleanText(text: string, most: number): string {
  // Before the work on each character: somebody else decided how long the text is.
  const near = text.slice(0, most * 4);
  const shown = near
    .replaceAll(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = Array.from(shown);
  if (characters.length <= most && near.length === text.length) return shown;
  return `${characters.slice(0, most - 1).join('')}…`;
}
