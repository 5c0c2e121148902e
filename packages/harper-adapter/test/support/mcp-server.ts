import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
});
export type McpMessage = z.infer<typeof messageSchema>;

/** An MCP server on a real port that answers as a test says. */
export interface McpServer {
  readonly url: URL;
  /** Every message that came, and the headers it came with. */
  readonly seen: { readonly message: McpMessage; readonly headers: IncomingMessage['headers'] }[];
  /** Answers a message before the server does; `true` when it has. */
  intercept: (message: McpMessage, response: ServerResponse) => boolean;
  /** The result of a request. */
  answer: (message: McpMessage) => unknown;
  /** Sends an event on the stream that the client holds open, once there is one. */
  push(message: object): Promise<void>;
  close(): Promise<void>;
}

export async function openMcpServer(): Promise<McpServer> {
  const streams: ServerResponse[] = [];
  let opened = (): void => undefined;
  const listening = new Promise<void>((resolve) => (opened = resolve));
  const http = createServer((request, response) => void serve(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port');

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.push(response);
      return opened();
    }
    const message = messageSchema.parse(JSON.parse((await text(request)) || '{}'));
    server.seen.push({ message, headers: request.headers });
    if (server.intercept(message, response)) return;
    if (message.id === undefined) return void response.writeHead(202).end();
    const result = message.method === 'initialize' ? initialized : server.answer(message);
    sendJson(response, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': 'session-1' });
  }

  const server: McpServer = {
    url: new URL(`http://127.0.0.1:${address.port}/mcp`),
    seen: [],
    intercept: () => false,
    answer: () => ({}),
    async push(message) {
      await listening;
      for (const stream of streams)
        stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'test', version: '1' },
};

export function sendJson(
  response: ServerResponse,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
