import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import type { AgentOperation } from './agent-operation.js';

/** The parameters an operation was given, checked. Throws 400 `invalid_request` naming each that does not fit. */
export function parseInput(operation: AgentOperation<unknown>, given: object): unknown {
  const parsed = operation.input.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new InvalidRequestError(`${operation.name}: ${problems.join('; ')}`);
}
