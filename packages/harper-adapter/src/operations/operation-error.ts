import { AgentError } from '@harperfast/agent-core/contracts';

/**
 * How an operation of the agent fails, whatever went wrong: Harper answers `statusCode` with `http_resp_msg` as the
 * body. `error` is text for people, as in every answer of Harper; `code` is stable and meant for programs.
 */
export class OperationError extends AgentError {
  override readonly name = 'OperationError';
  readonly http_resp_msg: { readonly error: string; readonly code: string };

  constructor(error: unknown) {
    const { code, message, statusCode } = AgentError.isInstance(error) ? error : internal(error);
    super(code, message, { statusCode, cause: error });
    this.http_resp_msg = { error: message, code };
  }
}

/** What nobody foresaw: a disk that fails, a fault in the code. */
function internal(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal_error', message, statusCode: 500 };
}
