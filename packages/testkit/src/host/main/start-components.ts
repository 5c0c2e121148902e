import { registerConfiguredBackends } from '../models/configured-backends.js';
import { Models } from '../models/models.js';
import type { HostLogger } from '../log/open-log.js';
import type { OperationRegistry } from '../operations/operation-registry.js';
import { startBuiltinComponents } from '../server/builtin-components.js';
import type { HostConfig } from '../server/host-config.js';
import { publishGlobals } from '../server/publish-globals.js';
import type { Tables } from '../tables/open-tables.js';
import type { UserStore } from '../users/user-store.js';
import { createServerApi } from './server-api.js';
import type { ThreadList } from '../workers/thread-list.js';

export interface StartComponentsOptions {
  readonly config: HostConfig;
  readonly operations: OperationRegistry;
  readonly users: UserStore;
  readonly tables: Tables;
  readonly logger: HostLogger;
  readonly threads: ThreadList;
  readonly builtins: string | undefined;
  readonly packageRoot: string | undefined;
}

/** Publishes the globals, registers the configured models, and starts the built-in components, in this order. */
export async function startComponents(options: StartComponentsOptions): Promise<void> {
  const { config, operations, users, tables, logger, threads, builtins, packageRoot } = options;
  const models = new Models();
  const server = createServerApi({ operations, users, config });
  const { operation } = server;
  await publishGlobals({ server, tables, models, logger, threads, operation, root: config.rootPath });
  await registerConfiguredBackends({ models, block: config['models'], root: config.rootPath, logger });
  const { ensureTable } = tables;
  const given = { server, ensureTable, port: config.http.port, securePort: undefined, resources: new Map() };
  await startBuiltinComponents({
    list: builtins,
    packageRoot,
    config,
    hook: 'startOnMainThread',
    given,
    logger,
  });
}
