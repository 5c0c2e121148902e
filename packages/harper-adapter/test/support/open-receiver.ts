import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** How a receiver answers one request. */
export type Answer = (response: ServerResponse) => void;

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end();
export const hang: Answer = () => undefined;

/** A real HTTP server that takes notifications. */
export interface Receiver {
  readonly url: string;
  /** Every request it got, in order, its body parsed. */
  readonly got: { readonly body: Record<string, unknown>; readonly headers: IncomingHttpHeaders }[];
  /** Resolves when it has got so many in all. */
  received(count: number): Promise<void>;
}

/** Answers each request with the next of `answers`, then 204. Closed when the test ends. */
export async function openReceiver(...answers: Answer[]): Promise<Receiver> {
  const got: Receiver['got'] = [];
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ body: JSON.parse(Buffer.concat(chunks).toString()), headers: request.headers });
      (answers.shift() ?? status(204))(response);
      arrivals.emit('request');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/agent`,
    got,
    async received(count) {
      while (got.length < count) await once(arrivals, 'request', { signal: AbortSignal.timeout(10_000) });
    },
  };
}
