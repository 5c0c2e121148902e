/** The names most like `wanted`, best first, none that is unlike it: for whoever misremembers one. */
export function nearestNames(wanted: string, names: readonly string[], limit: number): readonly string[] {
  const target = wanted.slice(0, 64).toLowerCase();
  return names
    .map((name) => ({ name, score: likeness(target, name.toLowerCase()) }))
    .filter(({ score }) => score >= 0.35)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Shared pairs of letters over all pairs (Dice): 1 for equal words, 0 for nothing in common. */
function likeness(a: string, b: string): number {
  const pairsOfA = pairs(a);
  const pairsOfB = pairs(b);
  if (pairsOfA.size === 0 || pairsOfB.size === 0) return a === b ? 1 : 0;
  const shared = [...pairsOfA].filter((pair) => pairsOfB.has(pair)).length;
  return (2 * shared) / (pairsOfA.size + pairsOfB.size);
}

function pairs(word: string): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(0, word.length - 1) }, (_, index) => word.slice(index, index + 2)),
  );
}
