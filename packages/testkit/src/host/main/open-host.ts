import { randomBytes } from 'node:crypto';
import inspector from 'node:inspector';
import { mkdir } from 'node:fs/promises';
import { logConsole, openLog, type HostLogger } from '../log/open-log.js';
import { openMcpEndpoint } from '../mcp/open-mcp-endpoint.js';
import { provideOperations, registerOperationsTools } from '../mcp/operations-tools.js';
import { toolsChanged } from '../mcp/tool-registry.js';
import { OperationRegistry } from '../operations/operation-registry.js';
import { recordOperations } from '../operations/record-operations.js';
import { schemaOperations } from '../operations/schema-operations.js';
import { serverOperations } from '../operations/server-operations.js';
import { userOperations } from '../operations/user-operations.js';
import { hostPaths, workerDebugPorts, type HostPorts } from '../server/host-config.js';
import { loadHostConfig } from '../server/load-host-config.js';
import { createSignIn } from '../server/sign-in.js';
import { OperationsServer } from '../server/operations-server.js';
import { openTables } from '../tables/open-tables.js';
import type { TableDefinition } from '../tables/table-definition.js';
import { Tokens } from '../users/tokens.js';
import { UserStore } from '../users/user-store.js';
import { ThreadList } from '../workers/thread-list.js';
import { Front } from './front.js';
import { loadPorts, savePorts } from './saved-ports.js';
import { startComponents } from './start-components.js';
import { WorkerPool } from './worker-pool.js';

export interface OpenHostOptions {
  readonly root: string;
  /** The super user that the first start makes. */
  readonly admin: { readonly username: string; readonly password: string };
  readonly packageRoot: string | undefined;
  readonly builtins: string | undefined;
  /** Called when an operation asked for a restart of the process, or the database refused a commit. */
  readonly onRestart: () => void;
}

export interface OpenHost {
  readonly ports: HostPorts;
  /** Resolves with false when a thread could not be ended. */
  close(): Promise<boolean>;
}

/** Starts everything a host has, in the order a component may rely on: users and models before components. */
export async function openHost(options: OpenHostOptions): Promise<OpenHost> {
  const { root } = options;
  const paths = hostPaths(root);
  await mkdir(paths.database, { recursive: true });
  const wanted = loadHostConfig(root, await loadPorts(paths.ports));
  await mkdir(wanted.componentsRoot, { recursive: true });
  const log = openLog({ file: paths.log, thread: 'main/0', level: wanted.logging.level });
  const { logger } = log;
  logConsole(logger);
  surviveUncaught(logger);

  let announce: (definition: TableDefinition) => void = () => {};
  const tables = openTables({
    path: paths.database,
    onDefined: (definition) => announce(definition),
    onFatal: (error) => {
      logger.fatal('The database refused a commit; the process starts anew:', error);
      options.onRestart();
    },
  });
  const users = new UserStore(tables);
  await users.ensureAdmin(options.admin.username, options.admin.password);

  const tokenKey = randomBytes(32).toString('base64');
  const tokens = new Tokens(tokenKey);
  const operations = new OperationRegistry(() => toolsChanged('operations'));
  provideOperations(operations, wanted.mcp?.operations ?? {});
  const mcp = await openMcpEndpoint('operations', { config: wanted, tables, logger });
  if (mcp !== undefined) registerOperationsTools();
  let open = () => {};
  const ready = new Promise<void>((resolve) => (open = resolve));
  const http = new OperationsServer({
    operations,
    signIn: createSignIn(users, tokens),
    logger,
    ready,
    mcp,
    users,
    port: wanted.operationsApi.network.port,
    domainSocket: wanted.operationsApi.network.domainSocket,
    bodyLimit: wanted.operationsApi.network.bodyLimit,
  });
  const front = await Front.open(wanted.http.port);
  const ports = { app: front.port, operations: await http.listen() };
  await savePorts(paths.ports, ports);
  const config = loadHostConfig(root, ports);

  const threads = new ThreadList();
  const pool = new WorkerPool({
    threads,
    count: config.threads.count,
    front,
    logger,
    debug: workerDebugPorts(config),
    worker: (index) => ({
      data: { root, index, config, tokenKey, packageRoot: options.packageRoot },
      startTimeoutMs: config.threads.startTimeout,
      commit: (writes) => tables.commit(writes),
      onTable: (definition) => tables.ensureTable(definition),
      onMessage: (message, from) => threads.deliver(message, from),
    }),
  });
  announce = (definition) => pool.announce(definition);
  operations.add([
    ...userOperations(
      users,
      tokens,
      () => operations.names,
      (database, table) => tables.find(database, table) !== undefined,
    ),
    ...schemaOperations(tables),
    ...recordOperations(tables),
    ...serverOperations({
      config,
      paths,
      replaceWorkers: () => pool.replace(),
      restart: () => void setImmediate(options.onRestart),
      threads: () => threads,
    }),
  ]);

  openMainInspector(config.threads.debug);
  const { builtins, packageRoot } = options;
  await startComponents({ config, operations, users, tables, logger, threads, builtins, packageRoot });
  await pool.start();
  logger.notify(
    `Harper stand-in ready: operations on port ${ports.operations}, applications on ${ports.app}`,
  );
  open();

  return {
    ports,
    async close() {
      open();
      await http.close();
      const clean = await pool.close();
      await front.close();
      await tables.close();
      log.close();
      return clean;
    },
  };
}

function surviveUncaught(logger: HostLogger): void {
  process.on('uncaughtException', (error) => logger.error('Uncaught exception:', error));
}

function openMainInspector(debug: boolean | { port?: number | undefined; host: string }): void {
  if (typeof debug === 'object' && debug.port !== undefined) inspector.open(debug.port, debug.host);
}
