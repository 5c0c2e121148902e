import type { SessionAnswer, SessionEntry } from './agent-client.js';
import type { Check } from './check-result.js';

/** The one JSON object of `--json`. */
export interface Summary {
  readonly session_id: string;
  readonly status: string;
  readonly stopReason: string | null;
  readonly answer: string;
  readonly toolCalls: readonly { readonly name: string; readonly outcome: string }[];
  readonly costUsd: number;
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
}

/** Sums a run up. Calls are listed in the order the model made them; one without a result is `open`. */
export function summarize(
  session: SessionAnswer,
  entries: readonly SessionEntry[],
  checks: readonly Check[],
): Summary {
  const outcomes = new Map(
    entries.flatMap((entry) => (entry.kind === 'result' ? [[entry.callId, entry.outcome] as const] : [])),
  );
  const rounds = entries.filter((entry) => entry.kind === 'round');
  return {
    session_id: session.session_id,
    status: session.status,
    stopReason: session.stop_reason,
    answer: rounds.at(-1)?.content ?? '',
    toolCalls: rounds.flatMap(({ calls }) =>
      calls.map(({ id, name }) => ({ name, outcome: outcomes.get(id) ?? 'open' })),
    ),
    costUsd: session.cost_usd,
    checks: checks.map(({ name, ok }) => ({ name, ok })),
  };
}
