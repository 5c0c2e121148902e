import type { RoundEntry, ToolCall, Totals, Usage } from '../contracts/index.js';
import { canonicalJson } from './canonical-json.js';
import { addMessages, sendPrompts } from './fold-messages.js';
import { noticeFor } from './notices.js';
import type { Repetition, SessionState } from './state.js';
import { usableName } from './tool-name.js';

/** The state after the model answered: what it said, what it cost, which calls are open now. */
export function applyRound(state: SessionState, entry: RoundEntry): SessionState {
  let next = sendPrompts(state, entry.carriedUpTo);
  // Providers refuse empty assistant messages, so an empty reply leaves only the notice.
  if (entry.content.trim() !== '' || entry.calls.length > 0) {
    next = addMessages(next, entry.seq, [
      {
        role: 'assistant',
        content: entry.content,
        ...(entry.calls.length > 0 ? { toolCalls: entry.calls.map(withUsableName) } : {}),
      },
    ]);
  }
  const notice = noticeFor(entry);
  if (notice !== undefined) next = addMessages(next, entry.seq, [{ role: 'user', content: notice }]);
  return {
    ...next,
    openCalls: entry.calls.map((call) => ({ call })),
    repetition: countRepetition(next.repetition, entry),
    tokenRatio: entry.usageEstimated ? next.tokenRatio : correctRatio(next.tokenRatio, entry),
    run: {
      ...next.run,
      turns: next.run.turns + 1,
      costMicros: next.run.costMicros + entry.costMicros,
      unusable: notice === undefined ? 0 : next.run.unusable + 1,
    },
    totals: addCall({ ...next.totals, rounds: next.totals.rounds + 1 }, entry),
  };
}

/** Totals with one more model call in them. */
export function addCall(
  totals: Totals,
  call: { readonly usage: Usage; readonly costMicros: number },
): Totals {
  return {
    ...totals,
    promptTokens: totals.promptTokens + call.usage.promptTokens,
    completionTokens: totals.completionTokens + call.usage.completionTokens,
    costMicros: totals.costMicros + call.costMicros,
  };
}

/** Follows a higher ratio at once and a lower one slowly: an estimate that is too low is the dangerous one. */
function correctRatio(before: number, entry: RoundEntry): number {
  if (entry.estimatedPromptTokens <= 0) return before;
  const seen = Math.min(8, Math.max(0.25, entry.usage.promptTokens / entry.estimatedPromptTokens));
  return seen > before ? seen : before * 0.8 + seen * 0.2;
}

/** Counts successive rounds that make the same calls; equal calls within one round count once. */
function countRepetition(before: Repetition, { calls }: RoundEntry): Repetition {
  if (calls.length === 0) return before;
  const distinct = new Set(calls.map((call) => `${call.name} ${canonicalJson(call.arguments)}`));
  const key = [...distinct].toSorted().join('\n');
  return { key, count: key === before.key ? before.count + 1 : 1 };
}

/** Providers refuse a transcript that holds a name no tool could have; what the model really called is in the journal. */
function withUsableName(call: ToolCall): ToolCall {
  const name = usableName(call.name);
  return name === call.name ? call : { ...call, name };
}
