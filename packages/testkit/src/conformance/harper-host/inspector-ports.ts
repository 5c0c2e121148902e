import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Where the inspectors of a host are asked to listen: that of the main thread, and those of the workers from one on. */
export interface InspectorPorts {
  readonly main: number;
  readonly startingPort: number;
}

const MOST_TRIES = 50;

/** Finds ports of the loopback address that were free a moment ago, the workers' in a row. */
export async function inspectorPorts(workers: number): Promise<InspectorPorts> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const opened: Server[] = [];
    try {
      const main = await listen(0, opened);
      const startingPort = await listen(0, opened);
      for (let index = 1; index < workers; index++) await listen(startingPort + index, opened);
      return { main, startingPort };
    } catch {
      // Somebody has one of the row.
    } finally {
      await Promise.all(opened.map((server) => new Promise((resolve) => server.close(resolve))));
    }
  }
  throw new Error(`${workers} free ports in a row were not found in ${MOST_TRIES} tries`);
}

async function listen(port: number, opened: Server[]): Promise<number> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  opened.push(server);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no TCP port');
  return address.port;
}
