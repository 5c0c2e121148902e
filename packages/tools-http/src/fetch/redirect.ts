import type { EgressPolicy } from '../egress/egress-policy.js';
import type { Headers } from './request-headers.js';

/** Methods of `http_fetch`. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const CARRIED = new Set(['accept', 'user-agent']);

/** One request of a chain, its URL judged by the policy. */
export interface Hop {
  readonly url: URL;
  readonly method: Method;
  readonly headers: Headers;
  readonly body?: string;
}

/** What follows an answer: another request, a redirect that is left alone and why, or nothing where it is final. */
export type Step = { readonly next: Hop } | { readonly notFollowed: string } | undefined;

/**
 * Where an answer leads. 303, and 301 or 302 after a POST, turn into a GET without body; 307 and 308 repeat the
 * request. Another origin is asked only if it is listed, only for GET and HEAD, and gets no header of the call but
 * Accept and User-Agent.
 */
export function stepAfter(
  hop: Hop,
  status: number,
  location: string | undefined,
  policy: Pick<EgressPolicy, 'judge'>,
): Step {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, hop.url.href)) {
    return { notFollowed: `${JSON.stringify(location.slice(0, 200))} is not a URL.` };
  }
  const target = new URL(location, hop.url);
  const becomesGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST');
  let place;
  try {
    place = policy.judge(target);
  } catch (error) {
    return { notFollowed: error instanceof Error ? error.message : String(error) };
  }
  const sameOrigin = place.url.origin === hop.url.origin;
  if (!sameOrigin) {
    const refusal = crossing(hop.method, place.kind);
    if (refusal !== undefined) return { notFollowed: refusal };
  }
  const kept = [...hop.headers].filter(
    ([name]) => (sameOrigin || CARRIED.has(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    next: {
      url: place.url,
      method: becomesGet ? 'GET' : hop.method,
      headers: new Map(kept),
      ...(hop.body === undefined || becomesGet ? {} : { body: hop.body }),
    },
  };
}

function crossing(method: Method, kind: 'self' | 'listed' | 'unlisted'): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') {
    return `It leads a ${method} to another origin. Call http_fetch with that URL if it is what you want.`;
  }
  if (kind === 'listed') return undefined;
  return kind === 'self'
    ? 'It leads from another host to this server. Call http_fetch with the path if it is what you want.'
    : 'It leads to a host that is not listed. Call http_fetch with that URL if it is what you want.';
}
