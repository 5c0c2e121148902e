import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedHost, HostOptions } from '@harperfast/agent-testkit/host';
import { z } from 'zod';
import type { Say } from './install/install-harperdb.js';
import { installHarperDb } from './install/install-harperdb.js';
import type { Caretaker } from './process/caretaker.js';
import { startCaretaker, unusedName } from './process/caretaker.js';
import { cleanEnvironment, withoutKeys } from './process/environment.js';
import { freePorts } from './process/free-ports.js';
import { HarperDbProcess, runProgram } from './process/harperdb-process.js';
import { fetchPatiently, sendOperation } from './process/send-operation.js';
import { settingsOf } from './process/settings.js';
import { waitForJob } from './process/wait-for-job.js';
import { writeComponent, writeConfig } from './process/write-config.js';

const DEFAULT_ADMIN = { username: 'HDB_ADMIN', password: 'password' };
const threadsSchema = z.looseObject({ count: z.int().min(0).default(1) }).default({ count: 1 });

/**
 * Starts HarperDB 4.7 as a host for the agent, as `startHost` of the testkit starts the stand-in: on free ports of the
 * loopback address, with a HOME of its own, everything in one folder. Installs it first where it is missing, which
 * `say` is told. Rejects with `LicenceNotAccepted` where the environment does not say `HARPERDB_EULA=accept`.
 */
export async function startHarperDb(
  options: HostOptions = {},
  say: Say = () => undefined,
): Promise<EmbeddedHost> {
  const file = await installHarperDb(say);
  const temporary = options.root === undefined;
  const base = options.root ?? unusedName(join(tmpdir(), 'harperdb4-'));
  // First: it removes also what is made when this process is ended the moment after.
  const caretaker = startCaretaker(temporary ? base : undefined);
  async function tidyUp(): Promise<void> {
    if (temporary) await rm(base, { recursive: true, force: true });
    caretaker.dismiss();
  }
  try {
    if (temporary) await mkdir(base, { mode: 0o700 });
    return await startIn(base, file, options, caretaker, tidyUp);
  } catch (error) {
    await tidyUp();
    throw error;
  }
}

async function startIn(
  base: string,
  file: string,
  options: HostOptions,
  caretaker: Caretaker,
  tidyUp: () => Promise<void>,
): Promise<EmbeddedHost> {
  const { admin = DEFAULT_ADMIN, config = {}, builtins = {} } = options;
  const root = join(base, 'hdb');
  const home = join(base, 'home');
  const configPath = join(root, 'harperdb-config.yaml');
  const [operationsPort = 0, appPort = 0] = await freePorts(2);
  await mkdir(home, { recursive: true });
  const program = {
    file,
    caretaker,
    pidFile: join(root, 'hdb.pid'),
    args: settingsOf({ root, admin, operationsPort, appPort }),
    env: {
      ...cleanEnvironment(),
      ...options.env,
      HOME: home,
      ...(Object.keys(builtins).length === 0 ? {} : { HARPER_BUILTIN_COMPONENTS: listOf(builtins) }),
    },
  };
  const component = join(base, 'component');
  if (!existsSync(configPath)) {
    await runProgram({ ...program, args: ['install', ...program.args], env: withoutKeys(program.env) });
  } else if (!existsSync(component)) {
    // It is written when the installation is complete.
    throw new Error(`${root} holds an installation that was cut off: remove it, or name another folder`);
  }
  await writeComponent(component);
  await writeConfig(configPath, component, withThreads(config));
  const server = new HarperDbProcess(program);
  await server.start();
  const operationsUrl = `http://127.0.0.1:${operationsPort}/`;
  const appUrl = `http://127.0.0.1:${appPort}`;
  const operation: EmbeddedHost['operation'] = async (body, given = {}) => {
    const answer = await sendOperation(operationsUrl, body, { as: admin, ...given });
    await waitForJob(body, answer, (request) => sendOperation(operationsUrl, request, { as: admin }));
    return answer;
  };
  return {
    root,
    componentsRoot: join(root, 'components'),
    configPath,
    logPath: join(root, 'log', 'hdb.log'),
    operationsUrl,
    appUrl,
    mcpUrl() {
      throw new Error('HarperDB 4.7 speaks no MCP');
    },
    get pid() {
      return server.pid;
    },
    admin,
    operation,
    fetchApp: (path, init = {}) => fetchPatiently(`${appUrl}${path}`, init, false),
    async waitForRestart() {
      await server.waitForRestart();
      // Nobody listens at first; this asks until somebody does.
      await operation({ operation: 'describe_all' });
    },
    kill: () => server.kill(),
    start: () => server.start(),
    async stop() {
      await server.stop();
      await tidyUp();
    },
  };
}

/** One worker, unless the configuration says otherwise: it is quicker to start and to replace. */
function withThreads(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...config, threads: threadsSchema.parse(config['threads']) };
}

function listOf(builtins: Readonly<Record<string, string>>): string {
  return Object.entries(builtins)
    .map(([name, identifier]) => `${name}=${identifier}`)
    .join(',');
}
