import type { FirstAgentRow } from '../store/first-agent/first-agent-row.js';
import type { OperationContext } from './operation-context.js';
import { titleOf, userOf } from '../store/first-agent/first-agent-row.js';

/** What is told of a session of Harper's first agent: what its row holds, as it is. No figures were kept. */
export function firstAgentAnswer(row: FirstAgentRow, { node }: Pick<OperationContext, 'node'>) {
  return {
    session_id: row.session_id,
    schema_version: 0,
    user: userOf(row),
    status: row.status,
    title: titleOf(row),
    model: row.model ?? null,
    provider: row.provider ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastError: row.lastError ?? null,
    stop_reason: null,
    seq: 0,
    totals: { rounds: 0, tool_calls: 0, prompt_tokens: 0, completion_tokens: 0 },
    cost_usd: 0,
    pendingApprovals: row.pendingApprovals ?? [],
    grants: [],
    node,
  };
}
