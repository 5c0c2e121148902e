import { z } from 'zod';
import type { Caller, JsonObject, Logger, Tool, ToolDefinition, ToolProvider } from '../contracts/index.js';
import type { GateSettings } from '../approval/gate.js';
import { isOffered } from '../approval/gate.js';

/** The tools on offer at one moment. */
export interface Toolbox {
  readonly definitions: readonly ToolDefinition[];
  readonly names: readonly string[];
  get(name: string): Tool | undefined;
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Asks every provider for its tools and keeps what the gate lets be offered. Of two tools with one name the earlier
 * provider's is kept. A provider that fails brings nothing, and is logged.
 */
export async function listTools(
  providers: readonly ToolProvider[],
  caller: Caller,
  logger: Logger,
): Promise<readonly Tool[]> {
  const lists = await Promise.all(
    providers.map(async (provider) => {
      try {
        return await provider.tools(caller);
      } catch (error) {
        logger.error(`The tools of ${provider.name} could not be listed: ${String(error)}`);
        return [];
      }
    }),
  );
  const byName = new Map<string, Tool>();
  for (const tool of lists.flat()) {
    if (!TOOL_NAME.test(tool.name)) logger.warn(`The tool ${JSON.stringify(tool.name)} is left out: no usable name`);
    else if (byName.has(tool.name)) logger.warn(`A second tool named ${tool.name} is left out`);
    else byName.set(tool.name, tool);
  }
  return [...byName.values()];
}

/** Makes toolboxes; the same tools under the same settings give the same one, definitions included. */
export function createToolboxMaker(): (tools: readonly Tool[], settings: GateSettings) => Toolbox {
  let last: { readonly tools: readonly Tool[]; readonly settings: GateSettings; readonly toolbox: Toolbox } | undefined;
  return (tools, settings) => {
    const same =
      last !== undefined &&
      last.settings === settings &&
      last.tools.length === tools.length &&
      last.tools.every((tool, index) => tool === tools[index]);
    if (last === undefined || !same) last = { tools, settings, toolbox: makeToolbox(tools, settings) };
    return last.toolbox;
  };
}

function makeToolbox(tools: readonly Tool[], settings: GateSettings): Toolbox {
  const offered = tools.filter((tool) =>
    isOffered(tool.name, typeof tool.effect === 'function' ? 'by_input' : tool.effect, settings),
  );
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  const definitions = offered.map((tool) =>
    Object.freeze({ name: tool.name, description: tool.description, parameters: parametersOf(tool) }),
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
