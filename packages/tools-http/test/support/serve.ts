import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A real server on a port of its own. */
export interface Served {
  readonly port: number;
  readonly url: string;
  /** How many TCP connections reached it so far. */
  connections(): number;
  /** Every request it answered: method and path. */
  readonly requests: string[];
  readonly server: Server;
}

/** Serves on 127.0.0.1 (or another address of this machine, 127.0.0.2 on Linux) until the test is over. */
export async function serve(handler: Handler, host = '127.0.0.1', wantedPort = 0): Promise<Served> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void handler(request, response);
  });
  server.on('connection', () => connections++);
  server.listen(wantedPort, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://${host}:${port}`, connections: () => connections, requests, server };
}

/** A server that must never be reached. */
export function serveSecret(): Promise<Served> {
  return serve((_request, response) => void response.end('SECRET'));
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString();
}

/** Resolves when the socket is closed, in order or not. */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
