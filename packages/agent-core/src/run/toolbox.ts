import { createHash } from 'node:crypto';
import { z } from 'zod';
import { EFFECTS } from '../contracts/index.js';
import type {
  Caller,
  Clock,
  JsonObject,
  Logger,
  Tool,
  ToolDefinition,
  ToolProvider,
} from '../contracts/index.js';
import type { GateSettings } from '../approval/gate.js';
import { isOffered } from '../approval/gate.js';
import { TOOL_NAME } from '../session/tool-name.js';
import { systemClock } from '../system-clock.js';

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
  /** Whether there is such a tool, which a request carries only after it was offered. */
  readonly isDeferred: (name: string) => boolean;
  /** With the deferred tools of these names, too; the same list gives the same toolbox. */
  withOffered(names: readonly string[]): Toolbox;
}

/** No provider takes more tools in one request. */
export const MOST_TOOLS = 128;

/**
 * Opens the toolbox of this moment; the same tools under the same settings give the same one. At once, where every
 * provider has its list at hand: this is asked several times a turn.
 */
export type FindToolbox = () => Toolbox | Promise<Toolbox>;

/** A provider that has not listed its tools by then has none for now. */
const LONGEST_LISTING_MS = 10_000;

export function createToolboxFinder(source: {
  readonly providers: readonly ToolProvider[];
  readonly caller: Caller;
  readonly logger: Logger;
  readonly settings: () => GateSettings;
  readonly clock?: Clock;
}): FindToolbox {
  const { providers, caller, logger, clock = systemClock } = source;
  let lastLists: readonly (readonly Tool[])[] = [];
  let lastSettings: GateSettings | undefined;
  let toolbox: Toolbox | undefined;
  const failing = new Set<ToolProvider>();

  /** A provider that fails, or is silent for too long, brings nothing; its failure is logged once, not at each call. */
  function failed(provider: ToolProvider, error: unknown): readonly Tool[] {
    if (!failing.has(provider))
      logger.error(`The tools of ${provider.name} could not be listed: ${String(error)}`);
    failing.add(provider);
    return [];
  }

  function listed(provider: ToolProvider, list: unknown): readonly Tool[] {
    if (!Array.isArray(list)) return failed(provider, new Error('the list is no array'));
    failing.delete(provider);
    return list;
  }

  function listOrNone(provider: ToolProvider): readonly Tool[] | Promise<readonly Tool[]> {
    try {
      const listing = provider.tools(caller);
      if (!(listing instanceof Promise)) return listed(provider, listing);
      return inTime(listing, clock).then(
        (list) => listed(provider, list),
        (error: unknown) => failed(provider, error),
      );
    } catch (error) {
      return failed(provider, error);
    }
  }

  function toolboxOf(lists: readonly (readonly Tool[])[]): Toolbox {
    const settings = source.settings();
    const same = lastSettings === settings && equalLists(lastLists, lists);
    if (toolbox === undefined || !same) {
      toolbox = makeToolbox(nameTools(providers, lists, logger), settings);
      // Copied: a provider may hand out the same array and change it.
      lastLists = lists.map((list) => [...list]);
      lastSettings = settings;
    }
    return toolbox;
  }

  return () => {
    const lists = providers.map(listOrNone);
    const atHand = lists.filter(isAtHand);
    return atHand.length === lists.length
      ? toolboxOf(atHand)
      : Promise.all(lists.map(async (list) => list)).then(toolboxOf);
  };
}

interface ProvidedTool {
  readonly tool: Tool;
  readonly provider: string;
}

function isAtHand(list: readonly Tool[] | Promise<readonly Tool[]>): list is readonly Tool[] {
  return !(list instanceof Promise);
}

function inTime<Result>(work: Promise<Result>, clock: Clock): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = clock.setTimer(LONGEST_LISTING_MS, () => {
      reject(new Error(`no answer within ${LONGEST_LISTING_MS} ms`));
    });
    work.then(resolve, reject).finally(stop);
  });
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
      const fault = faultOf(tool);
      const { name } = Object(tool);
      if (fault !== undefined) logger.warn(`The tool ${JSON.stringify(name)} is left out: ${fault}`);
      else if (byName.has(name)) logger.warn(`A second tool named ${name} is left out, from ${provider}`);
      else byName.set(name, { tool, provider });
    }
  }
  return [...byName.values()];
}

/** Why a tool cannot be offered; a provider refuses a whole request for one tool that it cannot read. */
function faultOf(tool: Tool): string | undefined {
  if (typeof tool !== 'object' || tool === null) return 'it is no tool';
  const { name, description, effect } = tool;
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) return 'no usable name';
  if (typeof description !== 'string') return 'no description';
  if (typeof tool.execute !== 'function') return 'nothing to execute';
  if (typeof effect !== 'function' && !EFFECTS.includes(effect)) return `unknown effect ${String(effect)}`;
  try {
    return parametersOf(tool)['type'] === 'object' ? undefined : 'its input is no object';
  } catch (error) {
    return `its input has no JSON Schema (${String(error)})`;
  }
}

function makeToolbox(provided: readonly ProvidedTool[], settings: GateSettings): Toolbox {
  const listed = provided
    .filter(({ tool }) => isOffered(tool, settings))
    .map(({ tool, provider }): ListedTool => ({ tool, id: toolId(tool, provider) }));
  const atOnce = listed.filter(({ tool }) => tool.deferred !== true);
  const deferred = new Map(
    listed.filter(({ tool }) => tool.deferred === true).map((found) => [found.tool.name, found]),
  );
  const room = Math.max(0, MOST_TOOLS - atOnce.length);
  const toolboxes = new WeakMap<readonly string[], Toolbox>();

  function withOffered(names: readonly string[]): Toolbox {
    const asked = names.flatMap((name) => deferred.get(name) ?? []);
    if (asked.length === 0) return base;
    const known = toolboxes.get(names);
    if (known !== undefined) return known;
    // What was offered last is what is being worked with.
    const made = toolboxWith([...atOnce, ...asked.slice(Math.max(0, asked.length - room))]);
    toolboxes.set(names, made);
    return made;
  }

  function toolboxWith(tools: readonly ListedTool[]): Toolbox {
    const byName = new Map(tools.map((found) => [found.tool.name, found]));
    return {
      definitions: Object.freeze(tools.map(({ tool }) => definitionOf(tool))),
      names: [...byName.keys()],
      get: (name) => byName.get(name),
      isDeferred: (name) => deferred.has(name) && !byName.has(name),
      withOffered,
    };
  }
  const base = toolboxWith(atOnce);
  return base;
}

const knownDefinitions = new WeakMap<Tool, ToolDefinition>();

function definitionOf(tool: Tool): ToolDefinition {
  const known = knownDefinitions.get(tool);
  if (known !== undefined) return known;
  const { name, description } = tool;
  const definition = Object.freeze({ name, description, parameters: parametersOf(tool) });
  knownDefinitions.set(tool, definition);
  return definition;
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
