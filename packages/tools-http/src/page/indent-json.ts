const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON with line ends and indentation, or `undefined` for what is no JSON or grows longer than `maxLength`. Only the
 * space between tokens changes: numbers keep every digit and keys their order, which parsing and printing would not.
 */
export function indentJson(json: string, maxLength: number): string | undefined {
  if (!isJson(json)) return undefined;
  let depth = 0;
  let previous = '';
  let indented = '';
  for (const [token] of json.matchAll(TOKENS)) {
    const closes = token === '}' || token === ']';
    const opened = previous === '{' || previous === '[';
    if (closes) depth -= 1;
    if (closes ? !opened : opened || previous === ',') indented += `\n${'  '.repeat(depth)}`;
    indented += token === ':' ? ': ' : token;
    if (indented.length > maxLength) return undefined;
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return indented;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
