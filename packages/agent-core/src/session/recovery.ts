import type { EntryDraft } from '../contracts/index.js';
import { closeOpenCalls, resultDraft } from './close-calls.js';
import type { SessionState } from './state.js';

/** What a fresh process does with a session that the last one left. */
export interface Recovery {
  /** Entries to append first. */
  readonly drafts: readonly EntryDraft[];
  /** Whether the run goes on by itself then. */
  readonly resume: boolean;
}

const UNKNOWN = 'The process ended while this ran; it may or may not have taken effect. Check before you call it again.';
const NOT_STARTED = 'The process ended before this call started; it was not run.';

/**
 * Decides from the journal alone. A call that had started has an unknown outcome. A run with a decided call goes on: an
 * operator asked for it. A session that waits for a decision goes on waiting. Any other run ends as interrupted.
 */
export function planRecovery(state: SessionState): Recovery {
  const unknown = state.openCalls
    .filter(({ started, result }) => started !== undefined && result === undefined)
    .map(({ call }) => resultDraft(call.id, 'unknown', UNKNOWN));
  if (state.status === 'awaiting_approval') return { drafts: unknown, resume: false };
  if (state.status !== 'running') return { drafts: [], resume: false };
  const decided = state.openCalls.some(
    ({ decision, started, result }) => decision !== undefined && started === undefined && result === undefined,
  );
  if (decided) return { drafts: unknown, resume: true };
  return {
    drafts: [
      ...closeOpenCalls(state, { notStarted: NOT_STARTED, started: UNKNOWN }),
      interruptedEnd(state, 'The process ended while the run was at work.'),
    ],
    resume: false,
  };
}

/** The end of a run that was stopped from outside; names the prompts that nobody answered. */
export function interruptedEnd(state: SessionState, what: string): EntryDraft {
  const unanswered = state.unsent.map((prompt) => prompt.messageId);
  const named = unanswered.length > 0 ? ` Not answered: ${unanswered.join(', ')}.` : '';
  return {
    kind: 'end',
    reason: 'interrupted',
    carriedUpTo: 0,
    error: { code: 'interrupted', message: `${what}${named} Prompt again to go on.` },
  };
}
