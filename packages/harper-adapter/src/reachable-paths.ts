import { isAbsolute, relative, resolve } from 'node:path';
import type { AgentConfig } from './config.js';
import type { HarperPaths } from './host.js';
import { agentFolder, keepOutOfReach } from './agent-folder.js';

/**
 * The host's paths with what the configuration narrows: where the components and the configuration lie that tools
 * may reach. Throws where one of them lies outside of Harper's root folder or would hold the agent's own folder.
 */
export function reachablePaths(
  paths: HarperPaths,
  { componentsScope, configScope }: Pick<AgentConfig, 'componentsScope' | 'configScope'>,
): HarperPaths {
  const reachable = {
    ...paths,
    components: scoped(paths.root, 'componentsScope', componentsScope) ?? paths.components,
    config: scoped(paths.root, 'configScope', configScope) ?? paths.config,
  };
  const folder = agentFolder(paths);
  keepOutOfReach(folder, reachable.components, 'The folder of the components');
  keepOutOfReach(folder, reachable.logs, 'The folder of the logs');
  keepOutOfReach(folder, reachable.config, 'The configuration');
  return reachable;
}

function scoped(root: string, key: string, scope: string | undefined): string | undefined {
  if (scope === undefined) return undefined;
  const path = resolve(root, scope);
  const inside = relative(root, path);
  if (inside.split(/[/\\]/)[0] === '..' || isAbsolute(inside)) {
    throw new Error(
      `agent.${key} is '${scope}', which lies outside of Harper's root folder '${root}'; name a place within it`,
    );
  }
  return path;
}
