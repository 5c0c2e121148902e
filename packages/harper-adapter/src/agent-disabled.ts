import { AgentError } from '@harperfast/agent-core/contracts';

/** What operations answer while there is no agent that could do it: 503, and why. */
export function agentDisabled(reason: unknown): AgentError {
  const text = reason instanceof Error ? reason.message : String(reason);
  return new AgentError('agent_disabled', `The agent is disabled: ${text}`, {
    statusCode: 503,
    cause: reason,
  });
}
