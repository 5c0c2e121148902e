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
  const { providers, caller, logger } = source;
  let lastLists: readonly (readonly Tool[])[] = [];
  let lastSettings: GateSettings | undefined;
  let toolbox: Toolbox | undefined;
  return async () => {
    const lists = await Promise.all(providers.map((provider) => listTools(provider, caller, logger)));
    const settings = source.settings();
    const same = lastSettings === settings && equalLists(lastLists, lists);
    if (toolbox === undefined || !same) {
      toolbox = makeToolbox(nameTools(providers, lists, logger), settings);
      // Copied: a provider may hand out the same array and change it.
      lastLists = lists.map((list) => [...list]);
      lastSettings = settings;
    }
    return toolbox;
  };
}

interface ProvidedTool {
  readonly tool: Tool;
  readonly provider: string;
}

/** A provider that fails brings nothing, and is logged. */
async function listTools(provider: ToolProvider, caller: Caller, logger: Logger): Promise<readonly Tool[]> {
  try {
    return await provider.tools(caller);
  } catch (error) {
    logger.error(`The tools of ${provider.name} could not be listed: ${String(error)}`);
    return [];
  }
}

/** Of two tools with one name the earlier provider's is kept. */
function nameTools(
  providers: readonly ToolProvider[],
  lists: readonly (readonly Tool[])[],
  logger: Logger,
): readonly ProvidedTool[] {
  const byName = new Map<string, ProvidedTool>();
  for (const [index, { name: provider }] of providers.entries()) {
    for (const tool of lists[index] ?? []) {
      const { name } = tool;
      if (!TOOL_NAME.test(name)) logger.warn(`The tool ${JSON.stringify(name)} is left out: no usable name`);
      else if (byName.has(name)) logger.warn(`A second tool named ${name} is left out, from ${provider}`);
      else byName.set(name, { tool, provider });
    }
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
  const byName = new Map(
    offered.map(({ tool, provider }) => [tool.name, { tool, id: toolId(tool, provider) }]),
  );
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

function equalLists(a: readonly (readonly Tool[])[], b: readonly (readonly Tool[])[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      (list, index) => list.length === b[index]?.length && list.every((tool, at) => tool === b[index]?.[at]),
    )
  );
}
