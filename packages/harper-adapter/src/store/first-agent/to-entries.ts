import type { Entry, EntryDraft, Outcome, StopReason } from '@harperfast/agent-core/contracts';
import type { FirstAgentRow } from './first-agent-row.js';
import type { FirstAgentMessage } from './read-transcript.js';
import { userOf } from './first-agent-row.js';
import { notUnderstood, readTranscript } from './read-transcript.js';

const NOT_RUN =
  "This call was not run: the session was left by Harper's first agent, and what waited there is void.";
const NO_USAGE = { promptTokens: 0, completionTokens: 0 };

const REASONS: ReadonlyMap<string, StopReason> = new Map([
  ['completed', 'answered'],
  ['aborted', 'cancelled'],
  ['error', 'model_error'],
]);

/**
 * The entries of a session of Harper's first agent: its messages as entries, at no cost because none was kept, and
 * the end of its last run. Calls without a result get one, so that any model accepts the transcript; nothing that
 * waited for approval waits any more. Throws a `ConflictError` where a message is not understood.
 */
export function toEntries(row: FirstAgentRow, newMessageId: () => string): readonly Entry[] {
  const entries: Entry[] = [];
  const open: { readonly givenId: string; readonly callId: string }[] = [];
  const user = userOf(row);
  const model = typeof row.model === 'string' ? row.model : 'default';

  const add = (at: number, draft: EntryDraft): void => {
    entries.push({ ...draft, seq: entries.length + 1, at });
  };
  const addResult = (at: number, callId: string, outcome: Outcome, text: string): void =>
    add(at, {
      kind: 'result',
      callId,
      outcome,
      text,
      truncated: false,
      bytes: Buffer.byteLength(text),
      durationMs: 0,
    });
  const closeCalls = (at: number): void => {
    for (const { callId } of open.splice(0)) addResult(at, callId, 'cancelled', NOT_RUN);
  };

  for (const [index, message] of readTranscript(row).entries()) {
    const at = message.createdAt ?? row.createdAt;
    if (message.role === 'tool') {
      const place = open.findIndex(({ givenId }) => givenId === message.toolCallId);
      const [call] = place < 0 ? [] : open.splice(place, 1);
      if (call === undefined)
        throw notUnderstood(row, index, `it answers no open call '${message.toolCallId}'`);
      addResult(at, call.callId, outcomeOf(message.content), message.content);
      continue;
    }
    closeCalls(at);
    if (message.role === 'assistant') {
      const round = toRound(message, entries.length + 1, model);
      add(at, round);
      round.calls.forEach(({ id: callId }, place) =>
        open.push({ callId, givenId: message.toolCalls?.[place]?.id ?? callId }),
      );
    } else {
      const source = message.role === 'user' ? 'operator' : 'system';
      add(at, { kind: 'prompt', messageId: newMessageId(), text: message.content, source, by: user });
    }
  }
  closeCalls(row.updatedAt);
  if (entries.length > 0) add(row.updatedAt, endOf(row, entries.length));
  return entries;
}

function toRound(message: FirstAgentMessage & { role: 'assistant' }, seq: number, model: string) {
  // Ids of calls came from providers, of which some count from one in every reply.
  const calls = (message.toolCalls ?? []).map(({ name, arguments: given }, index) => ({
    id: `call_${seq}_${index}`,
    name,
    arguments: given,
  }));
  return {
    kind: 'round' as const,
    content: message.content,
    calls,
    finishReason: calls.length > 0 ? ('tool_calls' as const) : ('stop' as const),
    carriedUpTo: seq - 1,
    usage: NO_USAGE,
    estimatedPromptTokens: 0,
    costMicros: 0,
    reservedMicros: 0,
    model,
  };
}

/** The first agent wrote `{ ok: true, result }`, `{ ok: false, error }` or `{ error: 'unknown_tool', name }`. */
function outcomeOf(text: string): Outcome {
  const error = /^\{"(?:ok":false,")?error":"?([\w]*)/.exec(text)?.[1];
  if (error === undefined) return 'ok';
  if (error === 'denied_by_operator') return 'denied';
  return error === 'unknown_tool' ? 'invalid' : 'error';
}

function endOf(row: FirstAgentRow, carriedUpTo: number): EntryDraft {
  const reason = REASONS.get(row.status) ?? 'interrupted';
  if (reason === 'answered') return { kind: 'end', reason, carriedUpTo };
  const given = typeof row.lastError === 'string' ? row.lastError : '';
  const message = given === '' ? `Harper's first agent left this session as '${row.status}'.` : given;
  return { kind: 'end', reason, carriedUpTo, error: { code: reason, message } };
}
