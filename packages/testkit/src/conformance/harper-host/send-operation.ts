import { request } from 'node:http';
import type { Credentials } from '../../host/embedded-host.js';

/** Where an operation is sent: the port of the operations API, or its socket in the file system. */
export type OperationsPlace = { readonly port: number } | { readonly socketPath: string };

export interface SendOperationOptions {
  /** Who asks: with a password, with a token, or nobody. */
  readonly as: Credentials | { readonly token: string } | 'nobody';
  readonly signal: AbortSignal;
}

export interface OperationAnswer {
  readonly status: number | undefined;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

/** Sends one body, an object as JSON and a text as it is, and resolves with whatever is answered. */
export function sendOperation(
  place: OperationsPlace,
  body: object | string,
  { as, signal }: SendOperationOptions,
): Promise<OperationAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...place,
        ...('port' in place ? { host: '127.0.0.1' } : {}),
        method: 'POST',
        path: '/',
        // A connection that is kept would be cut when the workers are replaced.
        agent: false,
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          ...authorizationOf(as),
        },
      },
      (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (part: string) => (answer += part));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, body: parsed(answer) }));
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

function authorizationOf(as: SendOperationOptions['as']): { authorization?: string } {
  if (as === 'nobody') return {};
  if ('token' in as) return { authorization: `Bearer ${as.token}` };
  const credentials = Buffer.from(`${as.username}:${as.password}`).toString('base64');
  return { authorization: `Basic ${credentials}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
