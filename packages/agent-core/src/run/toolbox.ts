import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Caller, JsonObject, Logger, Tool, ToolDefinition, ToolProvider } from '../contracts/index.js';
import type { GateSettings } from '../approval/gate.js';
import { isOffered } from '../approval/gate.js';

/** A tool and what identifies it: the same id means the same provider, name and schema. */
export interface ListedTool {
  readonly tool: Tool;
  readonly id: string;
}

/** The tools on offer at one moment. */
export interface Toolbox {
  readonly definitions: readonly ToolDefinition[];
  readonly names: readonly string[];
  get(name: string): ListedTool | undefined;
}

/** Opens the toolbox of this moment; the same tools under the same settings give the same one. */
export type FindToolbox = () => Promise<Toolbox>;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function createToolboxFinder(source: {
  readonly providers: readonly ToolProvider[];
  readonly caller: Caller;
  readonly logger: Logger;
  readonly settings: () => GateSettings;
}): FindToolbox {
  let lastTools: readonly Tool[] = [];
  let lastSettings: GateSettings | undefined;
  let toolbox: Toolbox | undefined;
  return async () => {
    const listed = await listTools(source.providers, source.caller, source.logger);
    const tools = listed.map(({ tool }) => tool);
    const settings = source.settings();
    const same = lastSettings === settings && equalLists(lastTools, tools);
    if (toolbox === undefined || !same) {
      toolbox = makeToolbox(listed, settings);
      lastTools = tools;
      lastSettings = settings;
    }
    return toolbox;
  };
}

interface ProvidedTool {
  readonly tool: Tool;
  readonly provider: string;
}

/** A provider that fails brings nothing, and is logged. Of two tools with one name the earlier provider's is kept. */
async function listTools(
  providers: readonly ToolProvider[],
  caller: Caller,
  logger: Logger,
): Promise<readonly ProvidedTool[]> {
  const lists = await Promise.all(
    providers.map(async (provider) => {
      try {
        return (await provider.tools(caller)).map((tool) => ({ tool, provider: provider.name }));
      } catch (error) {
        logger.error(`The tools of ${provider.name} could not be listed: ${String(error)}`);
        return [];
      }
    }),
  );
  const byName = new Map<string, ProvidedTool>();
  for (const listed of lists.flat()) {
    const { name } = listed.tool;
    if (!TOOL_NAME.test(name)) logger.warn(`The tool ${JSON.stringify(name)} is left out: no usable name`);
    else if (byName.has(name)) logger.warn(`A second tool named ${name} is left out, from ${listed.provider}`);
    else byName.set(name, listed);
  }
  return [...byName.values()];
}

function makeToolbox(listed: readonly ProvidedTool[], settings: GateSettings): Toolbox {
  const offered = listed.filter(({ tool }) =>
    isOffered(tool.name, typeof tool.effect === 'function' ? 'by_input' : tool.effect, settings),
  );
  const definitions = offered.map(({ tool }) =>
    Object.freeze({ name: tool.name, description: tool.description, parameters: parametersOf(tool) }),
  );
  const byName = new Map(offered.map(({ tool, provider }) => [tool.name, { tool, id: toolId(tool, provider) }]));
  return {
    definitions: Object.freeze(definitions),
    names: [...byName.keys()],
    get: (name) => byName.get(name),
  };
}

const knownParameters = new WeakMap<z.ZodType, JsonObject>();

function parametersOf(tool: Tool): JsonObject {
  const known = knownParameters.get(tool.input);
  if (known !== undefined) return known;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  // JSON Schema is JSON; the round trip drops what zod attaches beside it.
  const parameters: JsonObject = JSON.parse(JSON.stringify(schema));
  knownParameters.set(tool.input, parameters);
  return parameters;
}

function toolId(tool: Tool, provider: string): string {
  return createHash('sha256')
    .update(JSON.stringify([provider, tool.name, parametersOf(tool)]))
    .digest('base64url')
    .slice(0, 22);
}

function equalLists<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
