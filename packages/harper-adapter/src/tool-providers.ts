import type { GateSettings } from '@harperfast/agent-core';
import type { Clock, Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import type { AgentConfig } from './config.js';
import type { HarperHost } from './host.js';
import type { AgentTokens } from './http/agent-tokens.js';
import type { PackToolsParts } from './pack-tools.js';
import { packTools } from './pack-tools.js';
import { applicationTools } from './registry/application/application-tools.js';
import { firstSource } from './registry/application/first-source.js';
import { mcpSource } from './registry/application/mcp-source.js';
import { mcpUrl } from './registry/application/mcp-url.js';
import { loadMcpClient, openMcpSession } from './registry/application/open-mcp-session.js';
import { registrySource, servesApplications } from './registry/application/registry-source.js';
import { COMMON_OPERATIONS } from './registry/catalog/catalog.js';
import { OWN_NAMES } from './registry/names/own-names.js';
import { operationTools } from './registry/operation-tools.js';
import { offerTools } from './registry/search/offer-tools.js';

export interface ToolProviderParts extends PackToolsParts {
  readonly config: Pick<AgentConfig, 'operations' | 'maxTools'>;
  /** Further providers of ours; their tools come first. */
  readonly others: readonly ToolProvider[];
  readonly tokens: AgentTokens;
  readonly clock: Clock;
  readonly settings: () => GateSettings;
}

/**
 * Where the agent's tools come from: what is ours, Harper's operations, what applications bring. Of two tools of one
 * name the earlier one's is used. With more than `maxTools` the first to have a place are ours, then common operations,
 * then those of applications; `search_tools` finds the rest.
 */
export function createToolProviders(host: HarperHost, parts: ToolProviderParts): readonly ToolProvider[] {
  const { config, others, tokens, clock, settings } = parts;
  const { logger } = host;
  // What keeps it from loading is said when it is used.
  if (mcpUrl(host) !== undefined) loadMcpClient().catch(() => undefined);
  const applications = firstSource(
    () => servesApplications(host),
    registrySource(host),
    mcpSource({ url: () => mcpUrl(host), open: openMcpSession(tokens.current), clock, logger }),
  );
  return offerTools(
    [
      ...others.map((provider) => ({ provider, rank: () => 0 })),
      { provider: packTools(host, parts), rank: () => 0 },
      { provider: operationTools(host, config.operations), rank: operationRank },
      { provider: applicationTools(applications, OWN_NAMES, logger), rank: () => 2 },
    ],
    { maxTools: config.maxTools, settings },
  );
}

/** Common operations in the order of their list, at 1 and above; the others at 3. */
function operationRank({ name }: Tool): number {
  const index = COMMON_OPERATIONS.indexOf(name);
  return index === -1 ? 3 : 1 + index / COMMON_OPERATIONS.length;
}
