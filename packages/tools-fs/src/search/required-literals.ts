/**
 * Texts of which every match of the RE2 pattern holds at least one, or undefined where the pattern promises none. It
 * looks at the outermost level only, and gives up at whatever it does not know: what it says is always true.
 */
export function requiredLiterals(pattern: string): readonly string[] | undefined {
  // Flags change what a letter means; \Q, \x41 and \101 stand for other characters than they show.
  if (/\(\?[a-zA-Z-]+[:)]/.test(pattern)) return undefined;
  if (/\\[^dDwWsSbBAzntrfvpP]/.test(pattern.replace(/\\[^a-zA-Z0-9]/gsu, ''))) return undefined;
  const found: string[] = [];
  for (const branch of branches(pattern)) {
    const longest = branch.toSorted((one, other) => other.length - one.length)[0] ?? '';
    if (longest === '') return undefined;
    found.push(longest);
  }
  return found;
}

/** The runs of fixed characters of each alternative. */
function branches(pattern: string): string[][] {
  const all: string[][] = [[]];
  let run = '';
  function endRun(): void {
    all.at(-1)?.push(run);
    run = '';
  }
  for (let at = 0; at < pattern.length;) {
    const token = tokenAt(pattern, at);
    at += token.length;
    const literal = literalOf(token);
    if (literal !== undefined) {
      run += literal;
    } else if (token === '+') {
      // Its character is there at least once, and what follows need not follow the first of them.
      const last = lastCharacter(run);
      endRun();
      run = last;
    } else if (/^[*?{]/.test(token)) {
      run = run.slice(0, run.length - lastCharacter(run).length);
      endRun();
    } else {
      endRun();
      if (token === '|') all.push([]);
    }
  }
  endRun();
  return all;
}

/** One character, escape, class, group with all that is in it, or repetition; never an empty text. */
function tokenAt(pattern: string, at: number): string {
  const rest = pattern.slice(at);
  if (rest.startsWith('\\')) return /^\\(?:[pP]\{[^}]*\}|[pP]?.|)/su.exec(rest)?.[0] ?? rest;
  if (rest.startsWith('[')) return pattern.slice(at, classEnd(pattern, at));
  if (rest.startsWith('{')) return /^\{\d+(?:,\d*)?\}/.exec(rest)?.[0] ?? '{';
  if (rest.startsWith('(')) {
    let end = at + 1;
    while (end < pattern.length && pattern[end] !== ')') end += tokenAt(pattern, end).length;
    return pattern.slice(at, end + 1);
  }
  return String.fromCodePoint(pattern.codePointAt(at) ?? 0);
}

/** Behind the ']' that closes a class; one that stands first in it is a member. */
function classEnd(pattern: string, at: number): number {
  let end = at + (pattern[at + 1] === '^' ? 2 : 1);
  if (pattern[end] === ']') end++;
  while (end < pattern.length && pattern[end] !== ']') {
    if (pattern.startsWith('[:', end)) end = Math.max(end, pattern.indexOf(':]', end) + 1);
    end += pattern[end] === '\\' ? 2 : 1;
  }
  return end + 1;
}

function literalOf(token: string): string | undefined {
  if (/^\\[^a-zA-Z0-9]$/su.test(token)) return token.slice(1);
  return /^[^\\[\](){}|.^$*+?]$/su.test(token) ? token : undefined;
}

function lastCharacter(text: string): string {
  return /.$/su.exec(text)?.[0] ?? '';
}
