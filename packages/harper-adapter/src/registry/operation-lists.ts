import { z } from 'zod';
import { fieldsOf } from '../fields-of.js';
import { matchesGlob } from '@harperfast/agent-core';

/** Operations by name, `*` for any characters. `allow` is all there may be; without it everything may; `deny` subtracts. */
export interface OperationLists {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

// A value that came from an environment variable is one text.
const namesSchema = z.union([
  z.array(z.string()),
  z.string().transform((value) => value.split(',').map((name) => name.trim())),
]);

/** Whether the lists let an operation through: one of its names is allowed and none of them denied. */
export function letsThrough({ allow, deny = [] }: OperationLists, names: readonly string[]): boolean {
  const anyOf = (patterns: readonly string[]) =>
    patterns.some((pattern) => names.some((name) => matchesGlob(name, pattern)));
  return (allow === undefined || anyOf(allow)) && !anyOf(deny);
}

/**
 * What the operator set for MCP clients in `mcp.operations` of the host's configuration, which bounds the agent, too. A
 * list that cannot be read lets nothing through.
 */
export function readMcpLists(hostConfig: unknown): OperationLists {
  const { mcp } = fieldsOf(hostConfig, ['mcp']);
  const { operations } = fieldsOf(mcp, ['operations']);
  const { allow, deny } = fieldsOf(operations, ['allow', 'deny']);
  return {
    allow: isSet(allow) ? (namesSchema.safeParse(allow).data ?? []) : undefined,
    deny: isSet(deny) ? (namesSchema.safeParse(deny).data ?? ['*']) : undefined,
  };
}

/** What the operator lets through at one moment. */
export interface OperationFilter {
  readonly isAllowed: (names: readonly [string, ...string[]]) => boolean;
  /** There is a list of what MCP clients may have: then the registry lists all of it that there is. */
  readonly hasMcpList: boolean;
}

/**
 * What `own` and the lists for MCP clients let through now. Asked for every operation several times a turn, so answers
 * are remembered while the lists say the same.
 */
export function operationFilter(hostConfig: () => unknown, own: OperationLists): () => OperationFilter {
  let last: { readonly text: string; readonly filter: OperationFilter } | undefined;
  return () => {
    const mcp = readMcpLists(hostConfig());
    const text = JSON.stringify(mcp);
    if (last?.text !== text) last = { text, filter: filterOf(mcp, own) };
    return last.filter;
  };
}

function filterOf(mcp: OperationLists, own: OperationLists): OperationFilter {
  const known = new Map<string, boolean>();
  return {
    isAllowed(names) {
      const found = known.get(names[0]) ?? (letsThrough(mcp, names) && letsThrough(own, names));
      known.set(names[0], found);
      return found;
    },
    hasMcpList: mcp.allow !== undefined,
  };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
