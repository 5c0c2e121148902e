/** The beginning of a text, which says what was left out. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}
