import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Server, Socket, createServer as createTcpServer } from 'node:net';
import { z } from 'zod';

/** What one request is answered with. */
export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly type: string | undefined;
  readonly encoding: string | undefined;
  readonly body: Uint8Array;
  /** How the body ends: as it should, in the middle, or never. */
  readonly end: 'whole' | 'cut' | 'never';
}

/** A request that reached the application or the web. */
export interface Seen {
  readonly server: 'app' | 'web';
  readonly host: string | undefined;
  readonly authorization: string | undefined;
  readonly agent: string | undefined;
}

/**
 * This machine as a small internet: the application at 127.0.0.1, the web at 127.0.0.2 and a server that must never be
 * reached at every other address and port. Both answer what `script` holds, in turns.
 */
export interface SmallInternet {
  readonly ports: { readonly app: number; readonly web: number; readonly secret: number };
  script(answers: readonly Answer[]): void;
  readonly seen: Seen[];
  /** TCP connections that a forbidden server took. */
  forbiddenConnections(): number;
  /** Connections this process tried, `address:port`, but those to the application and the web. */
  readonly strayAttempts: string[];
  close(): void;
}

const socketMessage = z.object({ socket: z.instanceof(Socket) });

export async function openSmallInternet(): Promise<SmallInternet> {
  const seen: Seen[] = [];
  const strayAttempts: string[] = [];
  const forbidden: Server[] = [];
  let forbiddenConnections = 0;
  let answers: readonly Answer[] = [];
  let asked = 0;

  const handlerOf = (server: Seen['server']) => (request: IncomingMessage, response: ServerResponse) => {
    const { host, authorization, 'user-agent': agent } = request.headers;
    seen.push({ server, host, authorization, agent });
    const answer = answers[asked++ % answers.length];
    if (answer === undefined) response.destroy();
    else send(answer, response);
  };
  async function forbid(address: string, port: number): Promise<number> {
    const server = createTcpServer((socket) => {
      forbiddenConnections += 1;
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nSECRET');
    });
    forbidden.push(server);
    return listen(server, address, port);
  }

  const [app, web] = [createServer(handlerOf('app')), createServer(handlerOf('web'))];
  const ports = {
    app: await listen(app, '127.0.0.1'),
    web: await listen(web, '127.0.0.2'),
    secret: await forbid('127.0.0.1', 0),
  };
  for (const address of ['127.0.0.2', '127.0.0.3', '::1']) {
    for (const port of [ports.app, ports.secret, ...(address === '127.0.0.2' ? [] : [ports.web])]) {
      await forbid(address, port);
    }
  }
  await forbid('127.0.0.1', ports.web);

  const allowed = new Set([`127.0.0.1:${ports.app}`, `127.0.0.2:${ports.web}`]);
  const onSocket = (message: unknown) => {
    socketMessage.parse(message).socket.on('connectionAttempt', (address: string, port: number) => {
      if (!allowed.has(`${address}:${port}`)) strayAttempts.push(`${address}:${port}`);
    });
  };
  subscribe('net.client.socket', onSocket);

  return {
    ports,
    script(given) {
      answers = given;
      asked = 0;
      seen.length = 0;
    },
    seen,
    forbiddenConnections: () => forbiddenConnections,
    strayAttempts,
    close() {
      unsubscribe('net.client.socket', onSocket);
      for (const server of [app, web]) server.closeAllConnections();
      for (const server of [app, web, ...forbidden]) server.close();
    },
  };
}

async function listen(server: Server, address: string, port = 0): Promise<number> {
  server.listen(port, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function send({ status, location, type, encoding, body, end }: Answer, response: ServerResponse): void {
  response.writeHead(status, {
    ...(location === undefined ? {} : { location }),
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    ...(end === 'cut' ? { 'content-length': body.length + 10 } : {}),
  });
  if (end === 'whole') response.end(body);
  else response.write(body, () => (end === 'cut' ? response.destroy() : undefined));
}
