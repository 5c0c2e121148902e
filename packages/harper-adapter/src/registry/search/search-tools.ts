import { defineTool } from '@harperfast/agent-core/contracts';
import type { Caller, Tool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { rankTools } from './rank-tools.js';

/** What a search looks through. */
export interface Findable {
  readonly tools: readonly Tool[];
  /** How many of them a session can have at the same time. */
  readonly room: number;
}

export const SEARCH_TOOLS = 'search_tools';
const MOST_NAMES = 60;

const input = z.strictObject({
  query: z.string().min(1).max(200).describe('Words for what the tool should do or be called'),
  limit: z.int().min(1).max(20).default(5).describe('At most this many'),
});

/** The tool that finds the tools a request has no place for, and offers what it finds. */
export function searchTools(findable: (caller: Caller) => Promise<Findable>): Tool {
  return defineTool({
    name: SEARCH_TOOLS,
    description:
      'Finds further tools of this server by words in their names and descriptions. What it finds can be called from ' +
      'the next step on. Use it when none of your tools does what you need.',
    input,
    effect: 'read',
    async execute({ query, limit }, { caller }) {
      const { tools, room } = await findable(caller);
      const ranked = rankTools(tools, query);
      const found = ranked.slice(0, Math.min(limit, room));
      if (found.length === 0) return { text: describeNone(query, tools), data: { found: [] } };
      const names = found.map(({ name }) => name);
      const lines = [
        `These can be called from now on:`,
        ...found.map(({ name, description }) => `- ${name}: ${description}`),
        ...(ranked.length > found.length ? [`${ranked.length - found.length} more fit less well.`] : []),
        ...(tools.length > room
          ? [`At most ${room} found tools are at hand at the same time: the ones found first make room.`]
          : []),
      ];
      return { text: lines.join('\n'), data: { found: names }, offers: names };
    },
  });
}

function describeNone(query: string, tools: readonly Tool[]): string {
  const names = tools.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = tools.length > names.length ? `, and ${tools.length - names.length} more` : '';
  return (
    `No further tool fits ${JSON.stringify(query)}. ` +
    (names.length === 0 ? 'There are none besides those you have.' : `There are ${names.join(', ')}${more}.`)
  );
}
