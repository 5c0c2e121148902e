import type { IncomingMessage } from 'node:http';

/** The headers of a request as the web's own class. */
export function headersOf(request: IncomingMessage): Headers {
  return new Headers(
    Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
}
