import { AgentError, ToolDeniedError } from '@harperfast/agent-core/contracts';
import { type Agent, request } from 'undici';
import type { HttpLimits } from '../options.js';
import type { AddressPolicy } from './address-policy.js';
import { describeFailure } from './describe-failure.js';
import { createGuardedAgent } from './guarded-agent.js';
import { readLimited } from './limited-body.js';
import { type Hop, nextHop } from './redirect.js';

/** An answer, after all redirects, with as much of its body as fits. */
export interface FetchAnswer {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  readonly truncated: boolean;
  /** URLs that redirected, in order. */
  readonly redirects: readonly string[];
  readonly durationMs: number;
}

/** One fetch. */
export interface FetchOptions {
  /** The first request; its URL has not been checked yet. */
  readonly first: Hop;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The only way out of this package. `close` ends what is in flight. */
export interface GuardedFetch {
  fetch(options: FetchOptions): Promise<FetchAnswer>;
  close(): Promise<void>;
}

/**
 * Fetches where the policy allows it, every hop checked before it is contacted. One deadline covers connecting,
 * headers, redirects and body; when it passes, or the signal aborts, the socket is closed. Each fetch has sockets of
 * its own, and none outlives it.
 */
export function createGuardedFetch(policy: AddressPolicy, limits: HttpLimits): GuardedFetch {
  const active = new Set<Agent>();

  async function follow(
    agent: Agent,
    options: FetchOptions,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<FetchAnswer> {
    const started = performance.now();
    const redirects: string[] = [];
    let hop: Hop = { ...options.first, url: policy.check(options.first.url) };
    for (;;) {
      const response = await request(hop.url, {
        dispatcher: agent,
        method: hop.method,
        headers: { 'accept-encoding': 'identity', ...Object.fromEntries(hop.headers) },
        body: hop.body ?? null,
        signal,
        reset: true,
      });
      // A body that is let go of early ends with an error that nobody waits for.
      response.body.on('error', () => undefined);
      progress.status = response.statusCode;
      const headers = flatten(response.headers);
      const next = stepFrom(hop, response.statusCode, headers.get('location'));
      if (next === undefined) {
        const { bytes, truncated } = await readLimited(count(response.body, progress), limits.bodyBytes);
        return {
          url: hop.url.href,
          method: hop.method,
          status: response.statusCode,
          headers,
          body: bytes,
          truncated,
          redirects,
          durationMs: Math.round(performance.now() - started),
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
      hop = next;
    }
  }

  function stepFrom(hop: Hop, status: number, location: string | undefined): Hop | undefined {
    return nextHop(hop, status, location, (url) => {
      try {
        return policy.check(url);
      } catch (error) {
        if (!(error instanceof ToolDeniedError)) throw error;
        throw new ToolDeniedError(
          `${hop.url.href} redirects to a place that is not fetched. ${error.message}`,
          {
            cause: error,
          },
        );
      }
    });
  }

  return {
    async fetch(options) {
      options.signal.throwIfAborted();
      const agent = createGuardedAgent(policy, options.timeoutMs);
      active.add(agent);
      const deadline = AbortSignal.timeout(options.timeoutMs);
      const progress: Progress = { status: undefined, bytes: 0 };
      try {
        return await follow(agent, options, progress, AbortSignal.any([options.signal, deadline]));
      } catch (error) {
        options.signal.throwIfAborted();
        if (deadline.aborted) throw timedOut(options, progress);
        throw describeFailure(error, options.first.url);
      } finally {
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
