import type { HostLogger } from '../log/open-log.js';
import type { HostConfig } from '../server/host-config.js';
import type { Tables } from '../tables/open-tables.js';
import type { McpEndpoint } from './mcp-endpoint.js';
import type { McpProfile } from './tool.js';

/** The endpoint of a profile; undefined where the configuration has no block for it. */
export async function openMcpEndpoint(
  profile: McpProfile,
  { config, tables, logger }: { config: HostConfig; tables: Tables; logger: HostLogger },
): Promise<McpEndpoint | undefined> {
  const block = config.mcp?.[profile];
  if (!config.mcp || !block) return undefined;
  const { idleTimeout, allowClientDelete } = config.mcp.session;
  // The protocol's package is loaded where it is served only: every start of a host or a worker would pay for it.
  const { McpEndpoint: Endpoint } = await import('./mcp-endpoint.js');
  return new Endpoint({
    profile,
    tables,
    logger,
    mountPath: block.mountPath,
    pageSize: block.maxTools,
    idleMs: idleTimeout * 1000,
    allowDelete: allowClientDelete,
  });
}
