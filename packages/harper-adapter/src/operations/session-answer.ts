import type { SessionHeader } from '@harperfast/agent-core/contracts';
import type { OperationContext } from './operation-context.js';

/** US dollars of an amount in micro-dollars. */
export function toUsd(micros: number): number {
  return micros / 1_000_000;
}

/** What every answer about a session holds, under the names clients of Harper's first agent read. */
export function sessionAnswer(header: SessionHeader, { agent, node, config }: OperationContext) {
  const { totals } = header;
  return {
    session_id: header.id,
    schema_version: header.schemaVersion,
    user: header.user,
    status: header.status,
    title: header.title,
    model: agent.settings.model ?? 'default',
    provider: config.provider ?? null,
    createdAt: header.createdAt,
    updatedAt: header.updatedAt,
    lastError: header.lastError ?? null,
    stop_reason: header.stopReason ?? null,
    seq: header.seq,
    totals: {
      rounds: totals.rounds,
      tool_calls: totals.toolCalls,
      prompt_tokens: totals.promptTokens,
      completion_tokens: totals.completionTokens,
    },
    cost_usd: toUsd(totals.costMicros),
    grants: header.grants.map(({ approvalId, tool, effect, by, at }) => ({
      approval_id: approvalId,
      toolName: tool,
      effect,
      by,
      createdAt: at,
    })),
    node,
  };
}
