import { AgentError } from '@harperfast/agent-core/contracts';

/** The inspector cannot be reached from where this code runs, or the thread is not there. */
export class InspectorUnavailableError extends AgentError {
  override readonly name = 'InspectorUnavailableError';
  constructor(message: string) {
    super('inspector_unavailable', message, { statusCode: 503 });
  }
}

/** The other side ended, or the connection was closed, before it answered. */
export class ConnectionClosedError extends AgentError {
  override readonly name = 'ConnectionClosedError';
  constructor(message: string) {
    super('inspector_closed', message, { statusCode: 503 });
  }
}

/** The other side did not answer in time; what it was asked may still take place. */
export class CommandTimeoutError extends AgentError {
  override readonly name = 'CommandTimeoutError';
  constructor(method: string, timeoutMs: number) {
    super('inspector_timeout', `${method} was not answered within ${timeoutMs} ms`, { statusCode: 504 });
  }
}

/** The other side answered with an error of the protocol. */
export class CommandFailedError extends AgentError {
  override readonly name = 'CommandFailedError';
  /** The protocol's own number: -32000 for most, -32602 for bad parameters. */
  readonly protocolCode: number;
  constructor(method: string, protocolCode: number, message: string) {
    super('inspector_command', `${method} failed: ${message} (${protocolCode})`, { statusCode: 502 });
    this.protocolCode = protocolCode;
  }
}
