const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A source map by which each line of a script, from its first column on, comes from one `offset` lines further down. */
export function lineMap(source: string, lines: number, offset: number): string {
  const mappings = Array.from({ length: lines }, (_, at) => `AA${vlq(at === 0 ? offset : 1)}A`).join(';');
  return JSON.stringify({ version: 3, sources: [source], names: [], mappings });
}

function vlq(value: number): string {
  let left = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = left & 31;
    left >>>= 5;
    text += DIGITS[left > 0 ? digit | 32 : digit];
  } while (left > 0);
  return text;
}
