import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { configSchema, hostPaths, type HostConfig, type HostPorts } from './host-config.js';

/**
 * Reads `harper-config.yaml` (none: all defaults). Throws with the key that is wrong. Where the file leaves a port
 * to chance (0), `ports` says which one it is.
 */
export function loadHostConfig(root: string, ports: HostPorts = { app: 0, operations: 0 }): HostConfig {
  const { config: file } = hostPaths(root);
  const parsed = configSchema.safeParse(parse(readOrEmpty(file)) ?? {});
  if (!parsed.success) throw new Error(`${file} is not valid: ${z.prettifyError(parsed.error)}`);
  const { http, operationsApi, ...rest } = parsed.data;
  const { network } = operationsApi;
  const { domainSocket = 'operations-server' } = network;
  return {
    ...rest,
    http: { ...http, port: http.port || ports.app },
    operationsApi: {
      ...operationsApi,
      network: {
        ...network,
        port: network.port || ports.operations,
        domainSocket: domainSocket === null ? null : resolve(root, domainSocket),
      },
    },
    rootPath: root,
    componentsRoot: resolve(root, parsed.data.componentsRoot ?? 'components'),
  };
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
