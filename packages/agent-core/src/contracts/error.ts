/** Options every error of this project takes. */
export interface AgentErrorOptions {
  readonly cause?: unknown;
  /** HTTP status an operation answers with; absent means 500. */
  readonly statusCode?: number;
}

/**
 * Root of everything this project throws on purpose. `code` is stable and meant for programs; `message` is
 * meant for people and says what happened, with the values, and what to do. Hosts that map errors to HTTP
 * read `statusCode`.
 */
export class AgentError extends Error {
  static readonly #mark = Symbol.for('harperfast.agent.error');

  override readonly name: string = 'AgentError';
  readonly code: string;
  readonly statusCode: number;

  constructor(code: string, message: string, options: AgentErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.statusCode = options.statusCode ?? 500;
    Object.defineProperty(this, AgentError.#mark, { value: true });
  }

  /** Holds across two installed copies of this package, where `instanceof` does not. */
  static isInstance(value: unknown): value is AgentError {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, AgentError.#mark);
  }
}

/** A request that can never succeed as it stands (400, or 413 when it is only too large). */
export class InvalidRequestError extends AgentError {
  override readonly name = 'InvalidRequestError';
  constructor(message: string, options: AgentErrorOptions & { readonly code?: string } = {}) {
    super(options.code ?? 'invalid_request', message, { statusCode: 400, ...options });
  }
}

/** What was named does not exist (404). */
export class NotFoundError extends AgentError {
  override readonly name = 'NotFoundError';
  constructor(message: string, options: AgentErrorOptions = {}) {
    super('not_found', message, { statusCode: 404, ...options });
  }
}

/** The state no longer is what the caller assumed: decided already, moved on, not waiting (409). */
export class ConflictError extends AgentError {
  override readonly name = 'ConflictError';
  constructor(message: string, options: AgentErrorOptions & { readonly code?: string } = {}) {
    super(options.code ?? 'conflict', message, { statusCode: 409, ...options });
  }
}

/** The caller may not do this (403). */
export class ForbiddenError extends AgentError {
  override readonly name = 'ForbiddenError';
  constructor(message: string, options: AgentErrorOptions & { readonly code?: string } = {}) {
    super(options.code ?? 'forbidden', message, { statusCode: 403, ...options });
  }
}

/**
 * A tool's own refusal: the text goes to the model as the call's result with the outcome `denied`. Throw it for
 * what the tool will never do (a path outside the jail, a worker that is off limits); throw anything else for
 * failures.
 */
export class ToolDeniedError extends AgentError {
  override readonly name = 'ToolDeniedError';
  constructor(message: string, options: AgentErrorOptions = {}) {
    super('tool_denied', message, { statusCode: 403, ...options });
  }
}
