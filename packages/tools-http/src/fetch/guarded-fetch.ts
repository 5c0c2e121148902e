import type { LookupFunction } from 'node:net';
import { AgentError } from '@harperfast/agent-core/contracts';
import { type Agent, request } from 'undici';
import type { EgressPolicy } from '../egress/egress-policy.js';
import type { HttpLimits } from '../options.js';
import { describeFailure } from './describe-failure.js';
import { createGuardedAgent } from './guarded-agent.js';
import { ACCEPTED_ENCODINGS, type ReadBody, readBody } from './read-body.js';
import { type Hop, type Method, stepAfter } from './redirect.js';

/** An answer, after all redirects that were followed, with as much of its body as fits. */
export interface FetchAnswer {
  readonly url: string;
  readonly method: Method;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: ReadBody;
  /** URLs that redirected, in order. */
  readonly redirects: readonly string[];
  /** Why the redirect that this answer asks for was left alone. */
  readonly notFollowed?: string;
  /** From the start to the last headers, and to the end of the body. */
  readonly headersMs: number;
  readonly durationMs: number;
}

/** One fetch. */
export interface FetchOptions {
  /** The first request, its URL judged by the policy. */
  readonly first: Hop;
  /** Sent with every request to the origin of the first, and never to another. */
  readonly bearer?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The only way out of this package. `close` ends what is in flight. */
export interface GuardedFetch {
  fetch(options: FetchOptions): Promise<FetchAnswer>;
  close(): Promise<void>;
}

/**
 * Fetches where the policy allows it, every hop and every connection checked. One deadline covers connecting, headers,
 * redirects and body; when it passes, or the signal aborts, the socket is closed. Each fetch has sockets of its own,
 * and none outlives it. With `background` an open connection does not keep the process alive.
 */
export function createGuardedFetch(
  policy: EgressPolicy,
  lookup: LookupFunction,
  limits: HttpLimits,
  { background = false }: { readonly background?: boolean } = {},
): GuardedFetch {
  const active = new Set<Agent>();

  async function follow(
    agent: Agent,
    { first, bearer }: FetchOptions,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<FetchAnswer> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    const redirects: string[] = [];
    let hop = first;
    for (;;) {
      progress.url = hop.url;
      const credentials =
        bearer !== undefined && hop.url.origin === first.url.origin
          ? { authorization: `Bearer ${bearer}` }
          : {};
      const response = await request(hop.url, {
        dispatcher: agent,
        method: hop.method,
        headers: {
          'accept-encoding': ACCEPTED_ENCODINGS,
          ...Object.fromEntries(hop.headers),
          ...credentials,
        },
        body: hop.body ?? null,
        signal,
        reset: true,
      });
      // A body that is let go of early ends with an error that nobody waits for.
      response.body.on('error', () => undefined);
      progress.status = response.statusCode;
      const headersMs = elapsed();
      const headers = flatten(response.headers);
      const step = stepAfter(hop, response.statusCode, headers.get('location'), policy);
      if (step === undefined || 'notFollowed' in step) {
        const body = count(response.body, progress);
        return {
          url: hop.url.href,
          method: hop.method,
          status: response.statusCode,
          headers,
          body: await readBody(body, headers.get('content-encoding'), limits.bodyBytes),
          redirects,
          ...step,
          headersMs,
          durationMs: elapsed(),
        };
      }
      response.body.destroy();
      redirects.push(hop.url.href);
      if (redirects.length > limits.redirects) {
        throw new AgentError(
          'too_many_redirects',
          `More than ${limits.redirects} redirects: ${redirects.join(' → ')}.`,
        );
      }
      hop = step.next;
    }
  }

  return {
    async fetch(options) {
      options.signal.throwIfAborted();
      const agent = createGuardedAgent(policy, lookup, { timeoutMs: options.timeoutMs, background });
      active.add(agent);
      const deadline = AbortSignal.timeout(options.timeoutMs);
      const signal = AbortSignal.any([options.signal, deadline]);
      // undici hears of the signal only once it is connected: a name that takes for ever to resolve would hold it.
      const stop = () => void agent.destroy();
      signal.addEventListener('abort', stop, { once: true });
      const progress: Progress = { url: options.first.url, status: undefined, bytes: 0 };
      try {
        return await follow(agent, options, progress, signal);
      } catch (error) {
        options.signal.throwIfAborted();
        if (deadline.aborted) throw timedOut(options, progress);
        throw describeFailure(error, progress.url);
      } finally {
        signal.removeEventListener('abort', stop);
        active.delete(agent);
        await agent.destroy();
      }
    },
    async close() {
      await Promise.all([...active].map((agent) => agent.destroy()));
    },
  };
}

/** How far an answer came, for the message when it comes no further. */
interface Progress {
  url: URL;
  status: number | undefined;
  bytes: number;
}

async function* count(body: AsyncIterable<unknown>, progress: Progress): AsyncGenerator<unknown> {
  for await (const chunk of body) {
    if (chunk instanceof Uint8Array) progress.bytes += chunk.byteLength;
    yield chunk;
  }
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}

function timedOut({ timeoutMs }: FetchOptions, { status, bytes }: Progress): AgentError {
  const came =
    status === undefined
      ? 'no status came'
      : `status ${status} and ${bytes} bytes of the body came, not its end`;
  return new AgentError('http_timeout', `No complete answer within ${timeoutMs} ms: ${came}.`, {
    statusCode: 504,
  });
}
