import { fieldsOf } from '../../fields-of.js';
import type { HarperHost } from '../../host.js';

const DEFAULT_PATH = '/mcp';

/**
 * Where this server itself answers MCP clients for its applications; `undefined` where its configuration does not
 * have it do so (`mcp.application`), or its port is not known or is the one of operations.
 */
export function mcpUrl(host: Pick<HarperHost, 'config' | 'appPort' | 'operationsPorts'>): URL | undefined {
  const { appPort, operationsPorts } = host;
  const { mcp } = fieldsOf(host.config(), ['mcp']);
  const { application, mountPath: commonPath } = fieldsOf(mcp, ['application', 'mountPath']);
  if (appPort === undefined || operationsPorts.includes(appPort)) return undefined;
  if (typeof application !== 'object' || application === null) return undefined;
  const { mountPath = commonPath } = fieldsOf(application, ['mountPath']);
  const url = new URL(`http://127.0.0.1:${appPort}`);
  // Set as a path, so that no text in it can be a host.
  url.pathname = typeof mountPath === 'string' && mountPath !== '' ? mountPath : DEFAULT_PATH;
  return url;
}
