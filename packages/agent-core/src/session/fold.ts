import { AgentError } from '../contracts/index.js';
import type {
  DecisionEntry,
  EndEntry,
  Entry,
  ModelMessage,
  PromptEntry,
  RoundEntry,
  Status,
  StopReason,
  SummaryEntry,
  ToolCall,
  Totals,
  Usage,
} from '../contracts/index.js';
import { AppendList } from './append-list.js';
import { canonicalJson } from './canonical-json.js';
import { deepFreeze } from './deep-freeze.js';
import { delimited } from './delimit.js';
import { noticeFor, repetitionWarning, SUMMARY_HEADING } from './notices.js';
import type { OpenCall, Repetition, SessionState } from './state.js';
import { FRESH_RUN, undecidedAsks } from './state.js';
import { usableName } from './tool-name.js';

const STATUS_AFTER: Readonly<Record<StopReason, Status>> = {
  answered: 'completed',
  cancelled: 'aborted',
  interrupted: 'idle',
  max_turns: 'error',
  budget: 'error',
  cut_short: 'error',
  empty_reply: 'error',
  repeated_call: 'error',
  model_error: 'error',
};

/** The state after one more entry. Pure: the same entries always give the same state. */
export function applyEntry(state: SessionState, entry: Entry): SessionState {
  if (entry.seq !== state.seq + 1) {
    throw new AgentError(
      'corrupt_journal',
      `The journal of session ${state.id} has entry ${entry.seq} where ${state.seq + 1} belongs`,
    );
  }
  return applyKind({ ...state, seq: entry.seq, updatedAt: entry.at }, entry);
}

/** The state of a journal, from its beginning or from a state already folded. */
export function foldEntries(state: SessionState, entries: Iterable<Entry>): SessionState {
  for (const entry of entries) state = applyEntry(state, entry);
  return state;
}

/** The state just before a request is built: every prompt accepted so far is among its messages. */
export function withPromptsSent(state: SessionState): SessionState {
  return sendPrompts(state, state.seq);
}

function applyKind(state: SessionState, entry: Entry): SessionState {
  switch (entry.kind) {
    case 'prompt':
      return applyPrompt(state, entry);
    case 'round':
      return applyRound(state, entry);
    case 'start':
      return updateCall(state, entry.callId, { start: entry });
    case 'ask':
      return withStatus(updateCall(state, entry.callId, { ask: entry }));
    case 'decision':
      return applyDecision(state, entry);
    case 'result': {
      const next = updateCall(state, entry.callId, { result: entry });
      return closeRound({ ...next, totals: { ...next.totals, toolCalls: next.totals.toolCalls + 1 } });
    }
    case 'summary':
      return applySummary(state, entry);
    case 'end':
      return applyEnd(state, entry);
    case 'alert':
      return state;
  }
}

function applyPrompt(state: SessionState, entry: PromptEntry): SessionState {
  const active = state.status === 'running' || state.status === 'awaiting_approval';
  const accepted: SessionState = {
    ...state,
    title: state.title === '' ? titleOf(entry.text) : state.title,
    unsent: [...state.unsent, entry],
    messageIds: state.messageIds.push(entry.messageId),
    systemPrompts: entry.source === 'system' ? state.systemPrompts + 1 : 0,
  };
  return active ? accepted : beginRun(accepted);
}

/** A run begins with every prompt that no request has carried yet; of their caps the tightest hold. */
function beginRun(state: SessionState): SessionState {
  const { stopReason: _reason, lastError: _error, ...rest } = state;
  const tightest = (caps: readonly (number | undefined)[]): number | undefined => {
    const given = caps.filter((cap) => cap !== undefined);
    return given.length === 0 ? undefined : Math.min(...given);
  };
  const maxTurns = tightest(state.unsent.map((prompt) => prompt.maxTurns));
  const maxCostMicros = tightest(state.unsent.map((prompt) => prompt.maxCostMicros));
  return {
    ...rest,
    status: 'running',
    repetition: { key: '', count: 0 },
    run: {
      ...FRESH_RUN,
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(maxCostMicros === undefined ? {} : { maxCostMicros }),
    },
  };
}

function applyRound(state: SessionState, entry: RoundEntry): SessionState {
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

function addCall(totals: Totals, call: { readonly usage: Usage; readonly costMicros: number }): Totals {
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

function applyDecision(state: SessionState, entry: DecisionEntry): SessionState {
  if (entry.revokesGrant) {
    return { ...state, grants: state.grants.filter((grant) => grant.approvalId !== entry.approvalId) };
  }
  const ask = state.openCalls.find((open) => open.ask?.approvalId === entry.approvalId)?.ask;
  if (ask === undefined) return state;
  const next = withStatus(updateCall(state, ask.callId, { decision: entry }));
  if (!entry.approved || entry.remember === undefined) return next;
  const { approvalId, tool, toolId, effect } = ask;
  return {
    ...next,
    grants: [...next.grants, { approvalId, tool, toolId, effect, by: entry.by, at: entry.at }],
  };
}

/** Counts successive rounds that make the same calls; equal calls within one round count once. */
function countRepetition(before: Repetition, { calls }: RoundEntry): Repetition {
  if (calls.length === 0) return before;
  const distinct = new Set(calls.map((call) => `${call.name} ${canonicalJson(call.arguments)}`));
  const key = [...distinct].toSorted().join('\n');
  return { key, count: key === before.key ? before.count + 1 : 1 };
}

/** Once every call of the round has its result, the results become messages, in the order of the calls. */
function closeRound(state: SessionState): SessionState {
  if (state.openCalls.some(({ result }) => result === undefined)) return withStatus(state);
  const warning = repetitionWarning(state.repetition.count);
  const messages = state.openCalls.map(({ call, result }): ModelMessage => ({
    role: 'tool',
    toolCallId: call.id,
    content: result === undefined ? '' : `${delimited(result, state.delimiter)}${warning}`,
  }));
  return withStatus({ ...addMessages(state, state.seq, messages), openCalls: [] });
}

function applySummary(state: SessionState, entry: SummaryEntry): SessionState {
  const seqs = state.messageSeqs.view();
  const kept = state.messages.view().filter((_message, index) => (seqs[index] ?? 0) > entry.upTo);
  const summary: ModelMessage = deepFreeze({ role: 'user', content: `${SUMMARY_HEADING}\n${entry.text}` });
  return {
    ...state,
    messages: AppendList.of([summary, ...kept]),
    messageSeqs: AppendList.of([entry.upTo, ...seqs.filter((seq) => seq > entry.upTo)]),
    run: { ...state.run, costMicros: state.run.costMicros + entry.costMicros },
    totals: addCall(state.totals, entry),
  };
}

function applyEnd(state: SessionState, entry: EndEntry): SessionState {
  const ended: SessionState = {
    ...sendPrompts(state, entry.carriedUpTo),
    status: STATUS_AFTER[entry.reason],
    stopReason: entry.reason,
    openCalls: [],
    grants: entry.reason === 'cancelled' ? [] : state.grants,
    ...(entry.error === undefined ? {} : { lastError: entry.error }),
  };
  // A prompt that no request carried starts another run; after a cancel or a crash only the next prompt does.
  const waits = entry.reason === 'cancelled' || entry.reason === 'interrupted';
  return ended.unsent.length > 0 && !waits ? beginRun(ended) : ended;
}

function sendPrompts(state: SessionState, upTo: number): SessionState {
  const sent = state.unsent.filter((prompt) => prompt.seq <= upTo);
  if (sent.length === 0) return state;
  let next: SessionState = { ...state, unsent: state.unsent.filter((prompt) => prompt.seq > upTo) };
  for (const prompt of sent) next = addMessages(next, prompt.seq, [{ role: 'user', content: prompt.text }]);
  return next;
}

/** A prompt that waited for a round's results comes after them, so its message takes their seq: seqs never fall. */
function addMessages(state: SessionState, seq: number, messages: readonly ModelMessage[]): SessionState {
  const place = Math.max(seq, state.messageSeqs.at(state.messageSeqs.length - 1) ?? 0);
  return {
    ...state,
    messages: state.messages.push(...messages.map((message) => deepFreeze(message))),
    messageSeqs: state.messageSeqs.push(...messages.map(() => place)),
  };
}

function updateCall(state: SessionState, callId: string, change: Partial<OpenCall>): SessionState {
  return {
    ...state,
    openCalls: state.openCalls.map((open) => (open.call.id === callId ? { ...open, ...change } : open)),
  };
}

function withStatus(state: SessionState): SessionState {
  const status = undecidedAsks(state).length > 0 ? 'awaiting_approval' : 'running';
  return status === state.status ? state : { ...state, status };
}

/** Providers refuse a transcript that holds a name no tool could have; what the model really called is in the journal. */
function withUsableName(call: ToolCall): ToolCall {
  const name = usableName(call.name);
  return name === call.name ? call : { ...call, name };
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  // Cut between characters, never within the pair that makes up one.
  return line.length > 80 ? `${line.slice(0, 79).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}
