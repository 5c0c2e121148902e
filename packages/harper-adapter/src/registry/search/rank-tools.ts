import type { Tool } from '@harperfast/agent-core/contracts';

interface Words {
  readonly name: readonly string[];
  readonly description: ReadonlySet<string>;
}

const known = new WeakMap<Tool, Words>();
/** Shorter words are the beginning of too many others. */
const SHORTEST_BEGINNING = 3;
/** What a tool is for stands at the beginning of its description; a thousand long ones would take too long. */
const READ_CHARACTERS = 300;

/**
 * The tools that words of the query occur in, the best first: words of a name count more than those of a description,
 * whole ones more than beginnings. The same tools and query give the same list.
 */
export function rankTools(tools: readonly Tool[], query: string): readonly Tool[] {
  const asked = [...new Set(wordsOf(query))];
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, query, asked) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

function scoreOf(tool: Tool, query: string, asked: readonly string[]): number {
  const { name, description } = wordsIn(tool);
  let score = tool.name === query.trim() ? 100 : 0;
  for (const word of asked) {
    if (name.includes(word)) score += 6;
    else if (name.some((item) => begins(item, word))) score += 3;
    if (description.has(word)) score += 2;
    else if ([...description].some((item) => begins(item, word))) score += 1;
  }
  return score;
}

/** `tables` and `table` find each other. */
function begins(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= SHORTEST_BEGINNING && long.startsWith(short);
}

function wordsIn(tool: Tool): Words {
  const words = known.get(tool) ?? {
    name: wordsOf(tool.name),
    description: new Set(wordsOf(tool.description.slice(0, READ_CHARACTERS))),
  };
  known.set(tool, words);
  return words;
}

function wordsOf(text: string): readonly string[] {
  const parted = text.replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ');
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
