/** The key that `wanted` most likely was meant to be; `undefined` where none is like it. */
export function nearestKey(wanted: string, keys: readonly string[]): string | undefined {
  const target = wanted.slice(0, 64).toLowerCase();
  const [nearest] = keys
    .map((key) => ({ key, changes: changesBetween(target, key.toLowerCase()) }))
    .toSorted((a, b) => a.changes - b.changes);
  return nearest !== undefined && nearest.changes <= Math.max(2, target.length / 3) ? nearest.key : undefined;
}

/** How many letters have to be put in, taken out or replaced to make one word of the other. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (from[line - 1] === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
