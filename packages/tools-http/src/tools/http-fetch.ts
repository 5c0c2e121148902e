import {
  InvalidRequestError,
  type Tool,
  ToolDeniedError,
  defineTool,
} from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { EgressPolicy, Place } from '../egress/egress-policy.js';
import type { GuardedFetch } from '../fetch/guarded-fetch.js';
import type { Method } from '../fetch/redirect.js';
import { type Headers, readHeaders } from '../fetch/request-headers.js';
import type { HttpLimits, SelfOptions } from '../options.js';
import type { PageConverter } from '../page/page-converter.js';
import { effectOfRequest } from './effect-of-request.js';
import { fetchOutput } from './fetch-output.js';
import { maskTokenInError } from './mask-token.js';
import { readUrl } from './read-url.js';
import { showBody } from './show-body.js';

const METHODS = [
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
] as const satisfies readonly Method[];

/** What `http_fetch` is made of. */
export interface HttpFetchParts {
  readonly self: SelfOptions;
  readonly policy: EgressPolicy;
  readonly guarded: GuardedFetch;
  readonly pages: PageConverter;
  readonly limits: HttpLimits;
}

/** `http_fetch`: one request to where the policy allows it, redirects followed within it, any status an answer. */
export function httpFetchTool({ self, policy, guarded, pages, limits }: HttpFetchParts): Tool {
  const { app, token } = self;
  const input = z.strictObject({
    url: z
      .string()
      .max(8192)
      .describe(
        `The whole URL${app === undefined ? '' : ", or a path that begins with '/' for this server's own application"}`,
      ),
    method: z.enum(METHODS).default('GET'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Request headers. Host and framing are set for you.'),
    body: z.string().optional().describe('Request body, for POST, PUT, PATCH and DELETE.'),
    timeout_seconds: z
      .number()
      .min(0.1)
      .max(limits.maxTimeoutMs / 1000)
      .optional()
      .describe(`Deadline for the whole exchange. Default ${limits.timeoutMs / 1000}.`),
    accept: z
      .string()
      .max(256)
      .optional()
      .describe("The Accept header. With 'text/html' a page is shown as its source, not as Markdown."),
    as: z
      .enum(['agent'])
      .optional()
      .describe(
        "Acts as the agent's own user, this server's application only. Without it no credential is sent.",
      ),
  });

  /** Nothing where the call is refused before anything is contacted. */
  function placeOf(url: string): Place | undefined {
    try {
      return policy.judge(readUrl(url, app));
    } catch {
      return undefined;
    }
  }

  return defineTool({
    name: 'http_fetch',
    description:
      `Sends one HTTP request and returns status, headers and body, up to ${limits.textBytes} bytes of text. Pages come ` +
      `as Markdown. Error statuses are answers too. ${policy.summary}`,
    input,
    effect({ url, method, as }) {
      const place = placeOf(url);
      return place === undefined ? 'read' : effectOfRequest(place.kind, method, as === 'agent');
    },
    async execute(given, { signal }) {
      const { method, timeout_seconds: seconds, body, as } = given;
      const { kind, url } = policy.judge(readUrl(given.url, app));
      const headers = headersOf(given.headers, given.accept, body);
      const first = {
        url,
        method,
        headers,
        ...(body === undefined ? {} : { body: checkBody(body, method, limits.requestBytes) }),
      };
      if (as === undefined && kind === 'self') await refuseAnonymous(self);
      const bearer = as === undefined ? undefined : await bearerFor(kind, headers, token, signal);
      const timeoutMs = seconds === undefined ? limits.timeoutMs : Math.round(seconds * 1000);
      const answer = await guarded
        .fetch({ first, timeoutMs, signal, ...(bearer === undefined ? {} : { bearer }) })
        // It may name where the application redirected to.
        .catch((error: unknown) => {
          throw maskTokenInError(error, bearer);
        });
      const shown = await showBody(answer, pages, {
        textBytes: limits.textBytes,
        source: /\btext\/html\b/i.test(headers.get('accept') ?? ''),
        signal,
        deadlineMs: Math.max(timeoutMs - answer.durationMs, 1),
      });
      return fetchOutput(answer, shown, bearer);
    },
  });
}

async function refuseAnonymous({ refuseAnonymous: ask }: SelfOptions): Promise<void> {
  const why = await ask?.();
  if (why !== undefined) throw new ToolDeniedError(why);
}

async function bearerFor(
  kind: Place['kind'],
  headers: Headers,
  token: SelfOptions['token'],
  signal: AbortSignal,
): Promise<string> {
  if (token === undefined) throw new ToolDeniedError("There is no token of the agent here: leave 'as' out.");
  if (kind !== 'self') {
    throw new ToolDeniedError(
      "The agent's token goes to this server's own application only: leave 'as' out.",
    );
  }
  if (headers.has('authorization') || headers.has('cookie')) {
    throw new InvalidRequestError("Either 'as' or a header with credentials: leave one of them out.");
  }
  return token(signal);
}

function checkBody(body: string, method: Method, limit: number): string {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') {
    throw new InvalidRequestError(
      `A ${method} request carries no body: leave it out, or use POST, PUT or PATCH.`,
    );
  }
  const size = Buffer.byteLength(body);
  if (size > limit) {
    throw new InvalidRequestError(`The request body has ${size} bytes, the limit is ${limit}.`, {
      statusCode: 413,
    });
  }
  return body;
}

function headersOf(
  given: Readonly<Record<string, string>> | undefined,
  accept: string | undefined,
  body: string | undefined,
): Headers {
  const own = readHeaders(given);
  if (accept !== undefined && own.has('accept')) {
    throw new InvalidRequestError("'accept' is given twice: leave it out of the headers.");
  }
  const headers = new Map([
    ['user-agent', 'harper-agent'],
    ['accept', '*/*'],
    ...own,
    ...readHeaders(accept === undefined ? {} : { accept }),
  ]);
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', isJson(body) ? 'application/json' : 'text/plain; charset=utf-8');
  }
  return headers;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
