import { AgentError } from '@harperfast/agent-core/contracts';
import { errors } from 'undici';

/** Says in words why no answer came, with the code of the system or of undici. Our own errors pass as they are. */
export function describeFailure(error: unknown, url: URL): unknown {
  const code = codeOf(error);
  if (AgentError.isInstance(error) || !(error instanceof Error) || code === undefined) return error;
  return new AgentError('http_failed', `No answer from ${url.origin} (${code}): ${advice(code, error)}`, {
    statusCode: 502,
    cause: error,
  });
}

function advice(code: string, error: Error): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there. If it is this server: are the workers up?';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'the connection was closed before the answer was complete. Did a worker restart or crash?';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name leads to no address.';
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return `the body is not encoded as its header says (${error.message}).`;
    default:
      return `${error.message}.`;
  }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // The parser gives no code where the very first bytes are not HTTP.
  return error instanceof errors.HTTPParserError ? 'not HTTP' : undefined;
}
