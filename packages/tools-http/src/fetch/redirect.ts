import { AgentError } from '@harperfast/agent-core/contracts';
import type { Headers } from './request-headers.js';

/** Methods of `http_fetch`. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const CARRIED = new Set(['accept', 'user-agent', 'content-type']);

/** One request of a chain, its URL checked by the address policy. */
export interface Hop {
  readonly url: URL;
  readonly method: Method;
  readonly headers: Headers;
  readonly body?: string;
}

/**
 * What an answer asks to be requested next, or nothing where it is final. 303, and 301 or 302 after a POST, turn into
 * a GET without body; 307 and 308 repeat the request. `check` is the address policy: it throws for a place that must
 * not be contacted. Another origin gets no header of the call but Accept, Content-Type and User-Agent.
 */
export function nextHop(
  hop: Hop,
  status: number,
  location: string | undefined,
  check: (url: URL) => URL,
): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const url = check(resolve(location, hop.url));
  const becomesGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  const sameOrigin = url.origin === hop.url.origin;
  const kept = [...hop.headers].filter(
    ([name]) => (sameOrigin || CARRIED.has(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: new Map(kept),
    ...(hop.body === undefined || becomesGet ? {} : { body: hop.body }),
  };
}

function resolve(location: string, base: URL): URL {
  if (URL.canParse(location, base.href)) return new URL(location, base);
  throw new AgentError(
    'http_failed',
    `${base.href} redirects to ${JSON.stringify(location)}, which is not a URL.`,
  );
}
