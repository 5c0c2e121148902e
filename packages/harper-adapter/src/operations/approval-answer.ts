import type { PendingApproval } from '@harperfast/agent-core/contracts';

/** A call that waits, under the names clients of Harper's first agent read, and for how long it has waited. */
export function approvalAnswer({ approvalId, callId, tool, effect, at }: PendingApproval, now: number) {
  return {
    id: approvalId,
    toolName: tool,
    toolCallId: callId,
    reason: effect,
    createdAt: at,
    age_ms: Math.max(0, now - at),
  };
}
