import { AgentError, REDACTION_MARK } from '@harperfast/agent-core/contracts';

/** Text without the token that was sent. */
export function maskToken(text: string, token: string | undefined): string {
  return token === undefined ? text : text.replaceAll(token, REDACTION_MARK);
}

/** The error, or where its message repeats the token one like it that does not: without cause, which would. */
export function maskTokenInError(error: unknown, token: string | undefined): unknown {
  if (token === undefined || !(error instanceof Error) || !error.message.includes(token)) return error;
  const { code, statusCode } = AgentError.isInstance(error)
    ? error
    : { code: 'http_failed', statusCode: 502 };
  return new AgentError(code, maskToken(error.message, token), { statusCode });
}
