import type { ToolProvider } from '@harperfast/agent-core/contracts';
import type { HarperHost, HarperRegistryTool } from '../host.js';
import { resolveAgentUser } from '../identity.js';
import { isVisible } from './call-registry-tool.js';
import { CATALOG, namesOf } from './catalog/catalog.js';
import type { OperationSpec } from './catalog/operation-spec.js';
import type { OperationLists } from './operation-lists.js';
import { operationFilter } from './operation-lists.js';
import { createOperationToolbox } from './operation-toolbox.js';
import type { RoleReach } from './role-reach.js';
import { roleReach } from './role-reach.js';

/**
 * Harper's operations as tools: those of the catalog, and what else the registry lists, which counts as destructive.
 * The operator's lists for MCP clients and for the agent, the registry and the role of the agent user are looked at
 * anew for every list; the same facts give the same tools. Permissions are enforced by Harper at each call.
 */
export function operationTools(
  host: Pick<HarperHost, 'server' | 'registry' | 'config'>,
  own: OperationLists = {},
): ToolProvider {
  const toolbox = createOperationToolbox(host);
  const filter = operationFilter(host.config, own);
  return {
    name: 'operations',
    async tools(caller) {
      const { user } = await resolveAgentUser(host.server, caller.user);
      const reach = roleReach(user);
      const listed = listedOperations(host);
      const { isAllowed, hasMcpList } = filter();
      const entries = CATALOG.map((spec) => entryOf(spec, listed));
      const listsAll = hasMcpList && entries.some((entry) => entry !== undefined);

      const documented = CATALOG.flatMap((spec, index) => {
        const entry = entries[index];
        const mayBeThere = !listsAll && (spec.legacy !== true || host.registry === undefined);
        return (entry !== undefined || mayBeThere) &&
          isAllowed(namesOf(spec)) &&
          maySee(user, reach, spec, entry)
          ? (toolbox.documented(spec, entry) ?? [])
          : [];
      });
      const others = [...listed.values()].flatMap((entry) => {
        const tool = toolbox.other(entry);
        return tool !== undefined && isAllowed([entry.name]) && isVisible(entry, user) ? tool : [];
      });
      return [...documented, ...others];
    },
    close: async () => undefined,
  };
}

/** What the registry lists, of two of one name the first. */
function listedOperations({
  registry,
}: Pick<HarperHost, 'registry'>): ReadonlyMap<string, HarperRegistryTool> {
  const listed = new Map<string, HarperRegistryTool>();
  for (const tool of registry?.listProfileTools('operations') ?? []) {
    if (typeof tool.name === 'string' && !listed.has(tool.name)) listed.set(tool.name, tool);
  }
  return listed;
}

/** How the registry lists an operation, under whichever of its names. */
function entryOf(
  spec: OperationSpec,
  listed: ReadonlyMap<string, HarperRegistryTool>,
): HarperRegistryTool | undefined {
  const name = namesOf(spec).find((known) => listed.has(known));
  return name === undefined ? undefined : listed.get(name);
}

/** Harper's word, where its registry lists the operation; the rules it lists by otherwise. */
function maySee(
  user: object,
  reach: RoleReach,
  spec: OperationSpec,
  entry: HarperRegistryTool | undefined,
): boolean {
  return entry === undefined ? reach.reaches(spec) : isVisible(entry, user) || reach.reachesByTables(spec);
}
