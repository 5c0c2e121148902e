import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Sends a web `Response`, streams included. Resolves when it is sent or the client has left. */
export async function writeResponse(target: ServerResponse, response: Response): Promise<void> {
  for (const [name, value] of response.headers) if (name !== 'connection') target.setHeader(name, value);
  // A kept socket would delay an orderly shutdown.
  if (response.headers.get('content-type') === 'text/event-stream') target.setHeader('connection', 'close');
  target.writeHead(response.status);
  target.flushHeaders();
  if (response.body === null) target.end();
  // It rejects when the client leaves, which has ended the body too.
  else await pipeline(response.body, target).catch(() => {});
}
