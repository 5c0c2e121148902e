import inspector from 'node:inspector';
import type { MessagePort } from 'node:worker_threads';
import { HostError } from '../host-error.js';
import { logConsole, openLog, type HostLogger } from '../log/open-log.js';
import { registerApplicationTools } from '../mcp/application-tools.js';
import { openMcpEndpoint } from '../mcp/open-mcp-endpoint.js';
import { registerConfiguredBackends } from '../models/configured-backends.js';
import { Models } from '../models/models.js';
import { startBuiltinComponents } from '../server/builtin-components.js';
import { hostPaths } from '../server/host-config.js';
import { createSignIn } from '../server/sign-in.js';
import { publishGlobals } from '../server/publish-globals.js';
import { openTables } from '../tables/open-tables.js';
import { parseTableDefinition } from '../tables/table-definition.js';
import { Tokens } from '../users/tokens.js';
import { UserStore } from '../users/user-store.js';
import { loadResources } from './load-resources.js';
import { MainLink } from './main-link.js';
import { ResourceServer } from './resource-server.js';
import { ThreadList, type ThreadPort } from './thread-list.js';
import type { WorkerData } from './worker-messages.js';

/** Loads the components and serves them until the main thread asks to leave. */
export async function runAppWorker(data: WorkerData, port: MessagePort): Promise<void> {
  const paths = hostPaths(data.root);
  const { config } = data;
  const log = openLog({ file: paths.log, thread: `http/${data.index}`, level: config.logging.level });
  const { logger } = log;
  logConsole(logger);
  // As in Harper, what an application forgot to catch is logged and the thread goes on.
  process.on('uncaughtException', (error) => logger.error('Uncaught exception:', error));

  // An application may end its thread too.
  process.on('exit', closeInspector);

  const link = new MainLink(port);
  const tables = openTables({
    path: paths.database,
    remoteCommit: link.commit,
    onDefined: (definition) => link.send({ type: 'table', definition }),
  });
  const models = new Models();
  const elsewhere = () => {
    throw new HostError(501, 'Operations live on the main thread; this is a worker');
  };
  const server = { config, registerOperation: elsewhere, operation: elsewhere, getUser: elsewhere };
  const main: ThreadPort = {
    name: 'main',
    postMessage: (message, transfer) => link.send({ type: 'component', message }, transfer),
  };
  const threads = new ThreadList();
  threads.push(main);
  await publishGlobals({
    server,
    tables,
    models,
    logger,
    threads,
    operation: elsewhere,
    root: data.root,
  });
  await registerConfiguredBackends({ models, block: config['models'], root: data.root, logger });
  await startBuiltinComponents({
    list: process.env['HARPER_BUILTIN_COMPONENTS'],
    packageRoot: data.packageRoot,
    config,
    hook: 'start',
    given: {
      server,
      ensureTable: tables.ensureTable,
      port: config.http.port,
      securePort: undefined,
      resources: new Map(),
    },
    logger,
  });
  const resources = await loadResources(config.componentsRoot, logger);
  const mcp = await openMcpEndpoint('application', { config, tables, logger });
  if (mcp !== undefined) registerApplicationTools(resources, logger);
  const signIn = createSignIn(new UserStore(tables), new Tokens(data.tokenKey));
  const http = new ResourceServer({ resources, logger, signIn, mcp });

  link.listen((message) => {
    if (message.type === 'table') tables.adopt(parseTableDefinition(message.definition));
    else if (message.type === 'component') threads.deliver(message.message, main);
    else if (message.type === 'open-inspector')
      link.send({ type: 'inspector', url: openInspector(message, logger) });
    else void leave(message.lingerMs);
  });
  const leave = async (lingerMs: number) => {
    closeInspector();
    await http.leave(lingerMs);
    await tables.close();
    log.close();
    process.exit(0);
  };
  link.send({ type: 'ready', port: await http.listen() });
}

/** A thread with a client on its debugger's port could not end. */
function closeInspector(): void {
  if (inspector.url() !== undefined) inspector.close();
}

function openInspector(
  { host, port }: { host: string; port: number },
  logger: HostLogger,
): string | undefined {
  try {
    if (inspector.url() === undefined) inspector.open(port, host);
  } catch (error) {
    logger.error(error);
  }
  // A port that is taken does not throw; only the URL tells.
  return inspector.url();
}
