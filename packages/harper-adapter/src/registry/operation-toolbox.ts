import { defineTool } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import type { HarperHost, HarperRegistryTool } from '../host.js';
import { callRegistryTool } from './call-registry-tool.js';
import { deniedReason, specNamed } from './catalog/catalog.js';
import type { OperationSpec } from './catalog/operation-spec.js';
import { OWN_NAMES } from './names/own-names.js';
import { nameTools } from './names/tool-names.js';
import { documentedInput, otherInput } from './operation-input.js';
import { runOperation } from './run-operation.js';
import { cleanText } from './schemas/clean-text.js';

const LONGEST_DESCRIPTION = 1_000;

/**
 * Makes tools of operations, and keeps them: an operation that is described in one way is always the same tool. Without
 * a description of what it takes there is no tool.
 */
export interface OperationToolbox {
  /** An operation of the catalog, as the registry describes it where it does. */
  documented(spec: OperationSpec, listed: HarperRegistryTool | undefined): Tool | undefined;
  /** An operation of the registry that is neither in the catalog nor denied, under a name that a model can call. */
  other(listed: HarperRegistryTool): Tool | undefined;
}

interface Described {
  readonly description: string;
  readonly schema: object;
  readonly schemaText: string;
  readonly tool: Tool | undefined;
}

export function createOperationToolbox(host: Pick<HarperHost, 'server' | 'registry'>): OperationToolbox {
  const ofCatalog = new Map<OperationSpec, Tool | undefined>();
  const ofBoth = new Map<string, Described>();
  const ofRegistry = new Map<string, Described>();

  /** Harper may describe an operation anew each time it is asked: what counts is what the description says. */
  function keep(
    described: Map<string, Described>,
    listed: HarperRegistryTool,
    make: () => Tool | undefined,
  ): Tool | undefined {
    const { name, description, inputSchema: schema } = listed;
    const known = described.get(name);
    const isSame = known?.description === description;
    if (isSame && known.schema === schema) return known.tool;
    const schemaText = textOf(schema);
    const tool = isSame && known.schemaText === schemaText ? known.tool : make();
    described.set(name, { description, schema, schemaText, tool });
    return tool;
  }

  function documentedTool(spec: OperationSpec, listed: HarperRegistryTool | undefined): Tool | undefined {
    const { name, description, effect, restartsProcess } = spec;
    const input = documentedInput(spec, listed);
    if (input === undefined) return undefined;
    return defineTool({
      name,
      description,
      input,
      effect,
      ...(restartsProcess === true ? { restartsProcess } : {}),
      execute: async (given, context) => runOperation(host.server, spec, given, context),
    });
  }

  function otherTool(listed: HarperRegistryTool): Tool | undefined {
    const { name, description } = listed;
    if (specNamed(name) !== undefined || deniedReason(name) !== undefined) return undefined;
    const input = otherInput(listed);
    const [shown] = nameTools([name], OWN_NAMES).originals.keys();
    if (input === undefined || shown === undefined) return undefined;
    return defineTool({
      name: shown,
      description: cleanText(description, LONGEST_DESCRIPTION) || `The operation ${shown}.`,
      input,
      effect: 'destructive',
      execute: async (given, context) =>
        callRegistryTool(host, { name, profile: 'operations' }, given, context),
    });
  }

  return {
    documented(spec, listed) {
      if (listed !== undefined) return keep(ofBoth, listed, () => documentedTool(spec, listed));
      if (!ofCatalog.has(spec)) ofCatalog.set(spec, documentedTool(spec, undefined));
      return ofCatalog.get(spec);
    },
    other: (listed) => keep(ofRegistry, listed, () => otherTool(listed)),
  };
}

/** A schema that is no JSON is no schema; the tool is then made without. */
function textOf(schema: object): string {
  try {
    return JSON.stringify(schema);
  } catch {
    return '';
  }
}
