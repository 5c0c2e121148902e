import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider';
import type { ModelCallFailure } from './model-call-error.js';
import { ModelCallError } from './model-call-error.js';
import { saysWindowExceeded } from './says-window-exceeded.js';

/** Who was asked. */
export interface AskedModel {
  readonly provider: string;
  readonly modelId: string;
}

const MOST_UPSTREAM_TEXT = 500;

/**
 * An error of the AI SDK as one of ours; anything else comes back as it is. The AI SDK's own error is not kept as the
 * cause: it holds the whole request, which must not end up in a log.
 */
export function toModelCallError(model: AskedModel, error: unknown): unknown {
  if (LoadAPIKeyError.isInstance(error)) {
    return new ModelCallError('authentication_failed', `${nameOf(model)} has no key: ${error.message}`);
  }
  if (!APICallError.isInstance(error)) return error;
  const { statusCode, responseHeaders = {}, responseBody = '' } = error;
  const text = error.message.slice(0, MOST_UPSTREAM_TEXT);
  const cause = systemErrorOf(error);
  if (statusCode === undefined || cause !== undefined) {
    return new ModelCallError('network_failed', `${nameOf(model)} could not be reached: ${text}`, { cause });
  }
  const code = failureOf(statusCode, `${error.message}\n${responseBody}`);
  const milliseconds = Number(responseHeaders['retry-after-ms'] ?? Number.NaN);
  return new ModelCallError(
    code,
    `${nameOf(model)} answered with HTTP status ${statusCode}: ${text}${adviceFor(code)}`,
    {
      upstreamStatus: statusCode,
      retryAfter: responseHeaders['retry-after'],
      ...(milliseconds >= 0 ? { retryAfterMs: milliseconds } : {}),
    },
  );
}

/** The call was given up after `ms`. */
export function callTimedOut(model: AskedModel, ms: number): ModelCallError {
  return new ModelCallError(
    'timed_out',
    `${nameOf(model)} gave no whole answer within ${ms} ms: allow more with requestTimeoutMs, or lower maxTokens`,
    // The code by which the engine knows that trying again makes sense.
    { cause: Object.assign(new Error('The request timed out'), { code: 'ETIMEDOUT' }) },
  );
}

function nameOf({ provider, modelId }: AskedModel): string {
  return `The model ${modelId} (${provider})`;
}

function failureOf(status: number, text: string): ModelCallFailure {
  if (status === 401 || status === 403) return 'authentication_failed';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status >= 500) return 'provider_unavailable';
  if (status < 300) return 'unreadable_answer';
  return saysWindowExceeded(status, text) ? 'context_window_exceeded' : 'request_refused';
}

function adviceFor(code: ModelCallFailure): string {
  return code === 'authentication_failed'
    ? ' (check the key that the configuration of this model names, and what it may do)'
    : '';
}

/** The link of the chain that the operating system or the HTTP client named with a code such as `ECONNRESET`. */
function systemErrorOf(error: Error): Error | undefined {
  let link: unknown = error;
  for (let depth = 0; link instanceof Error && depth < 8; depth++) {
    if ('code' in link && typeof link.code === 'string' && /^[A-Z_]+$/.test(link.code)) return link;
    link = link.cause;
  }
  return undefined;
}
