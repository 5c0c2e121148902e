import { MessagePort } from 'node:worker_threads';
import { z } from 'zod';
import type { HarperDbThreads } from '../harperdb.js';
import type { WorkerLinks } from './worker-links.js';
import { fieldOf } from '../field-of.js';
import { readConfig, readGlobals } from '../harperdb.js';
import { HELLO } from '../hello.js';
import { completedServer } from './completed-server.js';
import { createModels } from './models.js';
import { createOperationRegistry } from './operation-registry.js';
import { registerModels } from './register-models.js';
import { startBuiltins } from './start-builtins.js';
import { createWorkerLinks } from './worker-links.js';

const AGENT = 'agent=@harperfast/agent-harper-adapter';
const helloSchema = z.looseObject({
  workerIndex: z.int(),
  port: z.instanceof(MessagePort),
});

/** The main thread's side in a process where the workers' side runs, too (`threads.count: 0`). */
let links: WorkerLinks | undefined;

/** Serves a worker whose port is at hand; `undefined` before the main thread was started. */
export function mainLinks(): WorkerLinks | undefined {
  return links;
}

/**
 * Gives HarperDB's main thread what built-in components find in Harper 5 (`server.registerOperation`, `models`, workers
 * with an index) and starts those of HARPER_BUILTIN_COMPONENTS, by default the agent. `options` is what HarperDB hands
 * to its hook.
 */
export async function startMain(options: object): Promise<void> {
  const { server, threads } = readGlobals();
  const complain = complainer();
  const operations = createOperationRegistry(() => links?.announce());
  links = createWorkerLinks({
    operations,
    getUser: (...given) => server.getUser(...given),
    complain: (error) => complain(`A worker sent what is no message: ${String(error)}`),
  });
  acceptWorkers(threads, links);
  const config = readConfig(server);
  Object.assign(globalThis, { models: createModels() });
  await registerModels(config['models'], complain);
  await startBuiltins({
    list: process.env['HARPER_BUILTIN_COMPONENTS'] ?? AGENT,
    config,
    given: {
      ...options,
      server: completedServer(server, operations),
      port: portNumber(config.http?.port),
    },
    complain,
  });
}

function acceptWorkers(threads: HarperDbThreads, accepting: WorkerLinks): void {
  const greeted = new WeakSet<object>();
  threads.onMessageByType(HELLO, (message, worker) => {
    const { workerIndex, port } = helloSchema.parse(message);
    // Once: applications share the thread, and none of them is to speak for whom HarperDB signed in.
    if (greeted.has(worker)) return port.close();
    greeted.add(worker);
    // The place the inspector tools know a worker by; Harper 5 has it there itself.
    Object.assign(worker, { workerIndex });
    accepting.add(port);
  });
}

/** A port may carry the address it is bound to: `127.0.0.1:9926`. */
function portNumber(port: string | number | null | undefined): number | undefined {
  const digits = /\d+$/.exec(String(port ?? ''))?.[0];
  return digits === undefined ? undefined : Number(digits);
}

function complainer(): (message: string) => void {
  const logger: unknown = Reflect.get(globalThis, 'logger');
  const log = fieldOf(logger, 'error');
  return (message) => {
    if (typeof log === 'function') Reflect.apply(log, logger, [message]);
    else console.error(message);
  };
}
