import type { Logger, Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import { nameTools } from '../names/tool-names.js';
import { cleanText } from '../schemas/clean-text.js';
import { warnOnce } from '../warn-once.js';
import type { ApplicationSource, ApplicationTool } from './application-source.js';
import { MOST_APPLICATION_TOOLS } from './application-source.js';
import type { ForeignInput } from '../schemas/foreign-input.js';
import { foreignInput } from '../schemas/foreign-input.js';
import { toTool } from './to-tool.js';

const SCHEMAS_AT_A_TIME = 10;

/**
 * The tools that applications bring, as the agent user may see and call them. A name that one of the agent's own tools
 * may have, switched on or not, never becomes an application's. What cannot be offered is left out, and the log says so
 * once. The same tools of the applications give the same tools.
 */
export function applicationTools(
  source: ApplicationSource,
  /** The names of all tools that are not of applications. */
  taken: ReadonlySet<string>,
  logger: Logger,
): ToolProvider {
  const warn = warnOnce(logger);
  // What was made for the last list: by name and description of the tool, and by its schema.
  let known: ReadonlyMap<string, Tool> = new Map();
  let knownInputs: ReadonlyMap<string, ForeignInput> = new Map();
  let last:
    | { readonly given: readonly ApplicationTool[]; readonly tools: Promise<readonly Tool[]> }
    | undefined;

  async function toTools(listed: readonly ApplicationTool[]): Promise<readonly Tool[]> {
    const given = listed.slice(0, MOST_APPLICATION_TOOLS);
    if (given.length < listed.length) warn(`Only the first ${given.length} tools of applications are used`);
    const { originals, renamed, leftOut } = nameTools(
      given.map(({ name }) => name),
      taken,
    );
    for (const [name, shownAs] of renamed) {
      warn(`An application's tool is named like a tool of the agent, ${name}: it is offered as ${shownAs}`);
    }
    for (const name of leftOut)
      warn(`A tool of an application is left out, ${shown(name)}: its name is another's`);
    const byName = new Map(given.toReversed().map((tool) => [tool.name, tool]));
    const made = new Map<string, Tool>();
    const inputs = new Map<string, ForeignInput>();
    let read = 0;
    for (const [shownAs, name] of originals) {
      const tool = byName.get(name);
      if (tool === undefined) continue;
      try {
        const schema = JSON.stringify(tool.inputSchema) ?? '';
        const knownInput = inputs.get(schema) ?? knownInputs.get(schema);
        // Reading schemas takes its time, and the thread is not ours alone.
        if (knownInput === undefined && ++read % SCHEMAS_AT_A_TIME === 0) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        const input = knownInput ?? foreignInput(tool.inputSchema);
        inputs.set(schema, input);
        if (!input.ok) throw new Error(input.problem);
        const key = JSON.stringify([shownAs, tool]);
        made.set(key, known.get(key) ?? toTool(shownAs, tool, input.input, source));
      } catch (error) {
        warn(`A tool of an application is left out, ${shown(name)}: ${cleanText(messageOf(error), 200)}`);
      }
    }
    known = made;
    knownInputs = inputs;
    return [...made.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  return {
    name: 'application tools',
    async tools(caller) {
      const given = await source.list(caller);
      if (last?.given !== given) last = { given, tools: toTools(given) };
      return last.tools;
    },
    close: () => source.close(),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function shown(name: string): string {
  return JSON.stringify(cleanText(name, 128));
}
