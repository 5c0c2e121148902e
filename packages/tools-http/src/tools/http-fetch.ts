import { type Effect, InvalidRequestError, defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { AddressPolicy } from '../fetch/address-policy.js';
import type { GuardedFetch } from '../fetch/guarded-fetch.js';
import type { Method } from '../fetch/redirect.js';
import { readHeaders } from '../fetch/request-headers.js';
import type { HttpLimits } from '../options.js';
import { fetchOutput } from './fetch-output.js';

const METHODS = [
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
] as const satisfies readonly Method[];

/**
 * What a request with this method counts as. DELETE is destructive, as the `delete` operation and the generated
 * delete tools of a Resource are: the gate must not depend on the way a record is deleted.
 */
export function effectOfMethod(method: Method): Effect {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return method === 'DELETE' ? 'destructive' : 'write';
}

/** `http_fetch`: one request to where the policy allows it, redirects followed, any status an answer. */
export function httpFetchTool(policy: AddressPolicy, guarded: GuardedFetch, limits: HttpLimits) {
  return defineTool({
    name: 'http_fetch',
    description:
      `Sends one HTTP request and returns status, headers and body, up to ${limits.bodyBytes} bytes. Error statuses ` +
      `are answers too. Redirects are followed. ${policy.summary}`,
    input: z.strictObject({
      url: z.string().max(8192).describe('The whole URL, beginning with http://'),
      method: z.enum(METHODS).default('GET'),
      headers: z
        .record(z.string(), z.string())
        .optional()
        .describe('Request headers. Host and framing are set for you.'),
      body: z.string().optional().describe('Request body, for POST, PUT, PATCH and DELETE.'),
      timeoutMs: z
        .int()
        .min(1)
        .max(limits.maxTimeoutMs)
        .optional()
        .describe(`Deadline for the whole exchange. Default ${limits.timeoutMs}.`),
    }),
    effect: ({ method }) => effectOfMethod(method),
    async execute({ url, method, headers, body, timeoutMs = limits.timeoutMs }, { signal }) {
      const first = {
        url: parseUrl(url, policy.summary),
        method,
        headers: withDefaults(readHeaders(headers), body),
        ...(body === undefined ? {} : { body: checkBody(body, method, limits.requestBytes) }),
      };
      return fetchOutput(await guarded.fetch({ first, timeoutMs, signal }), limits.bodyBytes);
    },
  });
}

function parseUrl(text: string, summary: string): URL {
  // The URL parser would drop line breaks and tabs without a word.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(text)) {
    throw new InvalidRequestError(
      `The URL ${JSON.stringify(text)} holds a space or a control character: encode it.`,
    );
  }
  if (!URL.canParse(text)) {
    throw new InvalidRequestError(`${JSON.stringify(text)} is not a whole URL. ${summary}`);
  }
  return new URL(text);
}

function checkBody(body: string, method: Method, limit: number): string {
  if (effectOfMethod(method) === 'read') {
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

function withDefaults(
  headers: ReadonlyMap<string, string>,
  body: string | undefined,
): ReadonlyMap<string, string> {
  const all = new Map([['user-agent', 'harper-agent'], ...headers]);
  if (body !== undefined && !all.has('content-type')) {
    all.set('content-type', isJson(body) ? 'application/json' : 'text/plain; charset=utf-8');
  }
  return all;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
