import { join } from 'node:path';
import { z } from 'zod';
import { LOG_LEVELS } from '../log/log-format.js';

const port = z.coerce.number().int().min(0).max(65_535);
const debugSchema = z.looseObject({
  port: port.optional(),
  startingPort: port.optional(),
  host: z.string().default('127.0.0.1'),
});

const operationNames = z.array(z.string());
const mcpProfileSchema = z.looseObject({
  mountPath: z.string().startsWith('/').default('/mcp'),
  maxTools: z.number().int().min(1).default(200),
  allow: operationNames.optional(),
  deny: operationNames.optional(),
});
const mcpSchema = z.looseObject({
  operations: mcpProfileSchema.nullish(),
  application: mcpProfileSchema.nullish(),
  session: z
    .looseObject({
      allowClientDelete: z.boolean().default(false),
      // Seconds without a request.
      idleTimeout: z.number().min(0).default(1800),
    })
    .prefault({}),
});

export const configSchema = z.looseObject({
  rootPath: z.string().optional(),
  componentsRoot: z.string().optional(),
  node: z.looseObject({ hostname: z.string().default('embedded') }).prefault({}),
  operationsApi: z
    .looseObject({
      network: z
        .looseObject({
          port: port.default(0),
          bodyLimit: z.number().int().default(10_485_760),
          // A path, by default below the root; null for none.
          domainSocket: z.string().nullish(),
        })
        .prefault({}),
    })
    .prefault({}),
  http: z.looseObject({ port: port.default(0) }).prefault({}),
  logging: z.looseObject({ level: z.enum(LOG_LEVELS).default('info') }).prefault({}),
  // A profile is served where its block is, even an empty one.
  mcp: mcpSchema.nullish(),
  threads: z
    .looseObject({
      count: z.coerce.number().int().min(1).max(64).default(2),
      // Of the stand-in alone: how long a worker may take to load the components.
      startTimeout: z.number().int().min(1).default(10_000),
      debug: z.union([z.boolean(), debugSchema]).default(false),
    })
    .prefault({}),
});

/** The root configuration, defaults filled in; unknown keys are kept. */
export type HostConfig = z.infer<typeof configSchema> & {
  readonly rootPath: string;
  readonly componentsRoot: string;
};

/** The files and folders of one host. */
export interface HostPaths {
  readonly root: string;
  readonly config: string;
  readonly log: string;
  readonly database: string;
  readonly ports: string;
}

export function hostPaths(root: string): HostPaths {
  return {
    root,
    config: join(root, 'harper-config.yaml'),
    log: join(root, 'log', 'hdb.log'),
    database: join(root, 'db'),
    ports: join(root, 'ports.json'),
  };
}

/** The two TCP ports of a host. */
export interface HostPorts {
  readonly app: number;
  readonly operations: number;
}

/** Where workers open their inspectors; undefined unless `threads.debug.startingPort` is set. */
export function workerDebugPorts(config: HostConfig): { host: string; startingPort: number } | undefined {
  const { debug } = config.threads;
  if (typeof debug === 'boolean' || debug.startingPort === undefined) return undefined;
  return { host: debug.host, startingPort: debug.startingPort };
}
