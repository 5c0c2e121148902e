import { HostError } from '../host-error.js';
import type { HostLogger } from '../log/open-log.js';
import type { Resources } from '../workers/load-resources.js';
import { customTools } from './custom-tools.js';
import { resourceTools } from './resource-tools.js';
import { addTool, getTool } from './tool-registry.js';

/**
 * Makes the tools of the profile `application`: those generated for each resource, and those a class names itself
 * in `static mcpTools`. Names are made of letters, digits, `_` and `-`; of two that become one the later is kept.
 */
export function registerApplicationTools(resources: Resources, logger: HostLogger): void {
  for (const [name, resource] of resources) {
    if (resource instanceof HostError) continue;
    try {
      for (const tool of [...resourceTools(name, resource), ...customTools(name, resource, logger)]) {
        const safe = tool.name.replaceAll(/[^\w-]/g, '_');
        if (getTool(safe, 'application') !== undefined)
          logger.warn(`MCP tool ${safe}: the one of resource ${name} takes the place of another`);
        addTool({ ...tool, name: safe });
      }
    } catch (error) {
      logger.error(`The MCP tools of resource ${name} are left out:`, error);
    }
  }
}
