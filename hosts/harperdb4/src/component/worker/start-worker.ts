import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { HarperDbServer, HarperDbThreads } from '../harperdb.js';
import { readConfig, readGlobals } from '../harperdb.js';
import { HELLO } from '../hello.js';
import { mainLinks } from '../main/start-main.js';
import { answerOperations } from './answer-operations.js';
import { openMainLink } from './main-link.js';

/** Makes this thread answer the operations of the main thread, on the ports and the socket of the operations API. */
export async function startWorker(): Promise<void> {
  const { server, threads } = readGlobals();
  const { port1, port2 } = new MessageChannel();
  handOver(port2, server, threads);
  const { network } = readConfig(server).operationsApi;
  const listener = answerOperations(await openMainLink(port1), network);
  const { port, securePort, domainSocket } = network;
  for (const place of [port, securePort, domainSocket]) {
    if (place !== undefined && place !== null && place !== '') server.http(listener, { port: place });
  }
}

function handOver(port: MessagePort, { workerIndex = 0 }: HarperDbServer, threads: HarperDbThreads): void {
  const here = mainLinks();
  if (here !== undefined) return here.add(port);
  const main = [...threads].find((thread) => thread.threadId === undefined);
  if (main === undefined) throw new Error('HarperDB shows this worker no port to its main thread');
  main.postMessage({ type: HELLO, workerIndex, port }, [port]);
}
