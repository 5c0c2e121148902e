/** The lines of a text that are most like what was looked for. */
export interface NearestMatch {
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** What alone is different, where it is only that. */
  readonly difference?: string;
}

/** Lines of what was looked for that are compared one by one. */
const MOST_COMPARED = 200;
/** Of lines that stand in very many places, only so many are followed. */
const MOST_PLACES = 50;
/** Below this share of common pairs of characters two lines have nothing to do with one another. */
const LIKE = 0.5;

/** Finds it in time in line with the text: by lines that are there word for word, or else by the most similar line. */
export function nearestMatch(text: string, wanted: string): NearestMatch | undefined {
  const lines = text.split('\n');
  const wantedLines = wanted.replace(/\n$/, '').split('\n');
  const start = byCommonLines(lines, wantedLines) ?? bySimilarLine(lines, wantedLines);
  if (start === undefined) return undefined;
  const first = Math.max(0, Math.min(start, lines.length - wantedLines.length));
  const window = lines.slice(first, first + wantedLines.length);
  const difference = onlyDifference(window.join('\n'), wantedLines.join('\n'));
  return { firstLine: first + 1, lines: window, ...(difference === undefined ? {} : { difference }) };
}

function byCommonLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [offset, line] of wanted.slice(0, MOST_COMPARED).entries()) {
    const key = bare(line);
    if (key.length > 2) places.set(key, [...(places.get(key) ?? []), offset]);
  }
  const scores = new Map<number, number>();
  const followed = new Map<string, number>();
  let best: number | undefined;
  for (const [index, line] of lines.entries()) {
    const key = bare(line);
    const offsets = places.get(key);
    if (offsets === undefined) continue;
    const times = (followed.get(key) ?? 0) + 1;
    followed.set(key, times);
    if (times > MOST_PLACES) continue;
    for (const offset of offsets.slice(0, MOST_PLACES)) {
      const start = index - offset;
      const score = (scores.get(start) ?? 0) + key.length;
      scores.set(start, score);
      if (best === undefined || score > (scores.get(best) ?? 0)) best = start;
    }
  }
  return best;
}

/** Compares the longest line that was looked for with every line, by the pairs of characters they have in common. */
function bySimilarLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce(
    (one, other, index) => ((wanted[one] ?? '').length >= other.length ? one : index),
    0,
  );
  const target = bare(wanted[longest] ?? '').slice(0, 2000);
  if (target.length < 3) return undefined;
  const known = new Uint8Array(65_536);
  for (let at = 1; at < target.length; at++) known[pair(target, at)] = 1;
  let best: number | undefined;
  let bestShare = LIKE;
  for (const [index, line] of lines.entries()) {
    const text = line.length > 2000 ? line.slice(0, 2000) : line;
    let common = 0;
    for (let at = 1; at < text.length; at++) common += known[pair(text, at)] ?? 0;
    const share = (2 * common) / (text.length + target.length);
    if (share > bestShare) {
      best = index - longest;
      bestShare = share;
    }
  }
  return best;
}

function pair(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 31 + text.charCodeAt(at)) & 0xffff;
}

function bare(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function onlyDifference(found: string, wanted: string): string | undefined {
  const spaceless = (text: string): string => text.replace(/\s+/g, '');
  if (spaceless(found).includes(spaceless(wanted))) return 'only in white space';
  if (found.toLowerCase().includes(wanted.toLowerCase())) return 'only in upper and lower case';
  if (found.normalize('NFKC').includes(wanted.normalize('NFKC')))
    return 'only in how its characters are composed';
  return undefined;
}
