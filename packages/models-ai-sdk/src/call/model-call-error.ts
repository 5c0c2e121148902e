import { AgentError } from '@harperfast/agent-core/contracts';

/** Why a model call failed. */
export type ModelCallFailure =
  /** The request does not fit the model's context window. */
  | 'context_window_exceeded'
  /** HTTP 429. */
  | 'rate_limited'
  /** HTTP 401 or 403, or no key at all. */
  | 'authentication_failed'
  /** HTTP 408 or 5xx. */
  | 'provider_unavailable'
  /** No connection, or it broke; `cause` has the system's code. */
  | 'network_failed'
  /** No whole answer within `requestTimeoutMs`. */
  | 'timed_out'
  /** The answer could not be read. */
  | 'unreadable_answer'
  /** Any other status: the request is wrong, or the provider does not want it. */
  | 'request_refused';

/** What `ModelCallError` is made of besides its code and message. */
export interface ModelCallErrorDetails {
  readonly cause?: unknown;
  readonly upstreamStatus?: number | undefined;
  readonly retryAfter?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * A model call that failed at the provider or on the way there. It has the fields Harper puts on such errors and the
 * engine decides by, and nothing of the request or of its headers.
 */
export class ModelCallError extends AgentError {
  override readonly name = 'ModelCallError';
  declare readonly code: ModelCallFailure;
  readonly contextWindowExceeded: boolean;
  /** The provider's HTTP status; absent where none came. */
  readonly upstreamStatus: number | undefined;
  /** The provider's `Retry-After` as it was sent: seconds or a date. */
  readonly retryAfter: string | undefined;
  /** The provider's `Retry-After-Ms`. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ModelCallFailure, message: string, details: ModelCallErrorDetails = {}) {
    super(code, message, { cause: details.cause });
    this.contextWindowExceeded = code === 'context_window_exceeded';
    this.upstreamStatus = details.upstreamStatus;
    this.retryAfter = details.retryAfter;
    this.retryAfterMs = details.retryAfterMs;
  }
}
