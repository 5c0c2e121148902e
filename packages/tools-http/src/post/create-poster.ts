import { lookup as dnsLookup } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { InvalidRequestError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import { type EgressPolicy, hostOf, portOf } from '../egress/egress-policy.js';
import { createGuardedFetch } from '../fetch/guarded-fetch.js';
import { readHeaders } from '../fetch/request-headers.js';
import { readLimits } from '../options.js';

/** The one place that is posted to. */
export interface PosterOptions {
  /** `http:` or `https:`, without user name and password. Its host may have any address: whoever names it wants it. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for connecting, headers and body together (10,000). */
  readonly timeoutMs?: number;
  /** Resolves names, as `dns.lookup` does. */
  readonly lookup?: LookupFunction;
}

/** What came back; the body is not kept. */
export interface PostAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Posts JSON to one place. `close` ends what is in flight. */
export interface Poster {
  /** Resolves with whatever status came; redirects are not followed. Rejects where no answer came in time. */
  post(json: string, signal: AbortSignal): Promise<PostAnswer>;
  close(): Promise<void>;
}

// Of the body nothing is used: so much is read for the end of a short one, and then it is let go.
const BODY_BYTES = 1024;

/**
 * Makes a poster for a place that an operator named: every connection is checked to go there and nowhere else, and no
 * open one keeps the process alive. Throws for a URL or headers that cannot be sent, and shows neither.
 */
export function createPoster({
  url: place,
  headers: given = {},
  timeoutMs = 10_000,
  lookup = dnsLookup,
}: PosterOptions): Poster {
  const url = readPlace(place);
  const headers = new Map([['content-type', 'application/json'], ...readHeaders(given)]);
  const limits = readLimits({ bodyBytes: BODY_BYTES });
  const guarded = createGuardedFetch(onlyTo(url), lookup, limits, { background: true });
  return {
    async post(body, signal) {
      const first = { url, method: 'POST' as const, headers, body };
      const { status, headers: answered } = await guarded.fetch({ first, timeoutMs, signal });
      return { status, headers: answered };
    },
    close: () => guarded.close(),
  };
}

function readPlace(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidRequestError('The URL to post to is none of http: or https:.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidRequestError('The URL to post to holds a user name or password: use a header instead.');
  }
  return url;
}

function onlyTo(place: URL): EgressPolicy {
  const [host, port] = [hostOf(place), portOf(place)];
  return {
    summary: `Only ${place.origin} is posted to.`,
    judge() {
      throw new ToolDeniedError('Redirects are not followed.');
    },
    allows: (asked, address, at) => isIP(address) !== 0 && asked.replace(/\.$/, '') === host && at === port,
  };
}
