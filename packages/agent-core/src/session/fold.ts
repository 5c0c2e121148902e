import { AgentError } from '../contracts/index.js';
import type {
  DecisionEntry,
  EndEntry,
  Entry,
  ModelMessage,
  PromptEntry,
  Status,
  StopReason,
  SummaryEntry,
} from '../contracts/index.js';
import { AppendList } from './append-list.js';
import { deepFreeze } from './deep-freeze.js';
import { delimited } from './delimit.js';
import { addMessages, sendPrompts } from './fold-messages.js';
import { addCall, applyRound } from './fold-round.js';
import { repetitionWarning, SUMMARY_HEADING } from './notices.js';
import type { OpenCall, SessionState } from './state.js';
import { FRESH_RUN, messageKey, undecidedAsks } from './state.js';

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
      const next = updateCall(withOffers(state, entry.offers), entry.callId, { result: entry });
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
    messageKeys: state.messageKeys.push(messageKey(entry)),
    systemPrompts: entry.source === 'system' ? state.systemPrompts + 1 : 0,
    unattended: entry.source === 'operator' ? 0 : state.unattended + (entry.source === 'followup' ? 1 : 0),
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

function updateCall(state: SessionState, callId: string, change: Partial<OpenCall>): SessionState {
  return {
    ...state,
    openCalls: state.openCalls.map((open) => (open.call.id === callId ? { ...open, ...change } : open)),
  };
}

/** The same list while nothing new is in it: toolboxes are remembered by it. */
function withOffers(state: SessionState, offers: readonly string[] = []): SessionState {
  const fresh = offers.filter((name) => !state.offered.includes(name));
  return fresh.length === 0 ? state : { ...state, offered: [...state.offered, ...fresh] };
}

function withStatus(state: SessionState): SessionState {
  const status = undecidedAsks(state).length > 0 ? 'awaiting_approval' : 'running';
  return status === state.status ? state : { ...state, status };
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  // Cut between characters, never within the pair that makes up one.
  return line.length > 80 ? `${line.slice(0, 79).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}
