const LONGEST_LINE = 300;
const MOST_LINES = 20;

/** Lines with their numbers, for a look: long ones and many of them are cut. */
export function numbered(lines: readonly string[], firstLine: number): string {
  const shown = lines.slice(0, MOST_LINES).map((line, index) => {
    const text = line.replace(/\r$/, '');
    return `${firstLine + index}| ${text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text}`;
  });
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`(${rest} more lines)`] : [])].join('\n');
}
