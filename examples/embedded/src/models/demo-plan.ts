import { buildResource, readTask } from './build-resource.js';
import type { Turn } from './read-turn.js';

/** What the demo model says and calls next; without calls it is done. */
export interface Move {
  readonly say: string;
  readonly calls?: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
}

/** The next move, from what was asked and what came back so far. */
export function planMove(turn: Turn): Move {
  const task = readTask(turn.prompt);
  if (task !== undefined) return buildResource(task, turn);
  if (/\b(schema|databases?|tables?)\b/i.test(turn.prompt)) return describeSchema(turn);
  return {
    say:
      'I am the scripted demo model that answers when no API key is set, and I know two tasks. Ask me to ' +
      `"create a Resource called Greet that returns 'good day'", or to "describe the system schema". With ` +
      'ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST set, a real model takes my place.',
  };
}

function describeSchema({ calls }: Turn): Move {
  const answer = calls.findLast(({ name }) => name === 'describe_all')?.result;
  if (answer === undefined)
    return { say: 'I look at the schema.', calls: [{ name: 'describe_all', arguments: {} }] };
  return { say: `This server has: ${listTables(answer)}` };
}

function listTables(answer: string): string {
  const parsed = parseObject(answer);
  if (parsed === undefined) return answer.slice(0, 500);
  const databases = Object.entries(parsed).map(([database, tables]) => {
    const names = typeof tables === 'object' && tables !== null ? Object.keys(tables) : [];
    return `${database} (${names.length === 0 ? 'no tables' : names.join(', ')})`;
  });
  return databases.length === 0 ? 'no databases yet.' : `${databases.join('; ')}.`;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
