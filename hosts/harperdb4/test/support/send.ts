import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import type { Credentials } from '@harperfast/agent-testkit/host';

/** Where the operations API is asked: a TCP port or a socket in the file system. */
export type Place = { readonly port: number } | { readonly socketPath: string };

export interface SendOptions {
  readonly as?: Credentials;
  /** The body in pieces, each sent by itself and without a length. */
  readonly chunked?: boolean;
  readonly accept?: string;
}

/** Sends an operation, or nothing, and resolves with the response, whose body is still to be read. */
export function open(
  place: Place,
  body: object | undefined,
  { as, chunked, accept }: SendOptions = {},
): Promise<IncomingMessage> {
  const text = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request({
      ...place,
      ...('port' in place ? { host: '127.0.0.1' } : {}),
      method: 'POST',
      path: '/',
      agent: false,
      headers: {
        'content-type': 'application/json',
        ...(chunked === true
          ? { 'transfer-encoding': 'chunked' }
          : { 'content-length': Buffer.byteLength(text) }),
        ...(accept === undefined ? {} : { accept }),
        ...(as === undefined
          ? {}
          : { authorization: `Basic ${Buffer.from(`${as.username}:${as.password}`).toString('base64')}` }),
      },
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    if (chunked === true)
      for (let at = 0; at < text.length; at += 65_536) sent.write(text.slice(at, at + 65_536));
    sent.end(chunked === true ? undefined : text);
  });
}

/** Sends an operation, or nothing, and resolves with what was answered; the body is parsed where it is JSON. */
export async function send(place: Place, body: object | undefined, options: SendOptions = {}) {
  const response = await open(place, body, options);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
