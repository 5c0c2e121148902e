import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { totalmem, freemem, cpus, loadavg, platform, release } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { HostError } from '../host-error.js';
import { LOG_LEVELS } from '../log/log-format.js';
import { readLog } from '../log/read-log.js';
import type { HostConfig, HostPaths } from '../server/host-config.js';
import type { ThreadPort } from '../workers/thread-list.js';
import { coreOperation } from './core-operation.js';
import type { CoreOperation } from './operation-registry.js';

/** What the operations on the server itself act upon. */
export interface ServerControl {
  readonly config: HostConfig;
  readonly paths: HostPaths;
  /** Resolves when every worker has been replaced. */
  replaceWorkers(): Promise<void>;
  /** Ends the process and starts it again, after the answer has been sent. */
  restart(): void;
  threads(): readonly ThreadPort[];
}

const WORKER_SERVICES = ['http_workers', 'http', 'custom', 'custom_functions'];
const superUser = { requiresSuperUser: true };
const nothing = z.object({});

/** Configuration, restarts, logs, components and figures. */
export function serverOperations(server: ServerControl): CoreOperation[] {
  return [
    coreOperation('get_configuration', superUser, nothing, () => server.config),
    coreOperation('set_configuration', superUser, z.looseObject({}), async (input) => {
      const changes = Object.entries(input).filter(
        ([key]) => !['operation', 'hdb_user', 'replicated'].includes(key),
      );
      if (changes.length === 0)
        throw new HostError(400, 'set_configuration needs at least one key, such as logging_level');
      await changeConfigFile(server.paths.config, changes);
      return 'Configuration successfully set. You must restart Harper for new config settings to take effect.';
    }),
    coreOperation('restart_service', superUser, z.object({ service: z.string() }), async ({ service }) => {
      if (!WORKER_SERVICES.includes(service)) {
        throw new HostError(400, `Invalid service '${service}': use one of ${WORKER_SERVICES.join(', ')}`);
      }
      await server.replaceWorkers();
      return `Restarting ${service}`;
    }),
    coreOperation('restart', superUser, nothing, () => {
      server.restart();
      return 'Restarting Harper. This may take up to 60 seconds.';
    }),
    coreOperation(
      'read_log',
      superUser,
      z.object({
        limit: z.number().int().min(0).default(1000),
        start: z.number().int().min(0).default(0),
        level: z.enum(LOG_LEVELS).optional(),
        from: z.string().optional(),
        until: z.string().optional(),
        order: z.enum(['asc', 'desc']).default('asc'),
      }),
      (query) => readLog(server.paths.log, query),
    ),
    coreOperation('cluster_status', superUser, nothing, () => ({
      node_name: server.config.node.hostname,
      is_enabled: false,
      connections: [],
    })),
    coreOperation('get_components', superUser, nothing, async () => ({
      name: 'components',
      entries: await listComponents(server.config.componentsRoot),
    })),
    coreOperation('system_information', superUser, nothing, () => ({
      system: { platform: platform(), kernel: release(), node_version: process.versions.node },
      cpu: { cores: cpus().length, current_load: loadavg()[0] },
      memory: { total: totalmem(), free: freemem(), ...process.memoryUsage() },
      time: { current: Date.now(), uptime: process.uptime() },
      harperdb_processes: { core: [{ pid: process.pid }] },
      threads: server.threads().map(({ threadId, name, workerIndex }) => ({ threadId, name, workerIndex })),
    })),
  ];
}

/** `http_port: 8080` sets `http.port`; comments of the file are kept, and a crash leaves the old file or the new. */
async function changeConfigFile(
  file: string,
  changes: readonly (readonly [string, unknown])[],
): Promise<void> {
  const document = parseDocument(await readFile(file, 'utf8').catch(() => ''));
  for (const [key, value] of changes) document.setIn(key.split('_'), value);
  const next = `${file}.next`;
  await writeFile(next, document.toString());
  await rename(next, file);
}

interface ComponentEntry {
  readonly name: string;
  readonly size?: number;
  readonly mtime?: string;
  readonly entries?: readonly ComponentEntry[];
}

async function listComponents(folder: string): Promise<ComponentEntry[]> {
  const entries: ComponentEntry[] = [];
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of found.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) entries.push({ name: entry.name, entries: await listComponents(path) });
    else if (entry.isFile()) {
      const { size, mtime } = await stat(path);
      entries.push({ name: entry.name, size, mtime: mtime.toISOString() });
    }
  }
  return entries;
}
