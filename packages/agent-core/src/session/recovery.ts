import type { EntryDraft } from '../contracts/index.js';
import { closeOpenCalls, resultDraft } from './close-calls.js';
import type { OpenCall, SessionState } from './state.js';

/** What a fresh process does with a session that the last one left. */
export interface Recovery {
  /** Entries to append first. */
  readonly drafts: readonly EntryDraft[];
  /** Whether the run goes on by itself then. */
  readonly resume: boolean;
}

const UNKNOWN =
  'The process ended while this ran; it may or may not have taken effect. Check before you call it again.';
const NOT_STARTED = 'The process ended before this call started; it was not run.';
const RESTARTED = 'The server restarted and is up again.';
const GO_ON =
  'The process ended while you were at work and has been started again. Check what was done, then go on with the task.';

/** How often a run may be taken up again by itself after one prompt: a prompt that ends the process must not loop. */
const MOST_RESUMES = 2;

/**
 * Decides from the journal alone. A call that had started has an unknown outcome; one that was to end the process has
 * done so. A run with a decided call, or one that asked for the restart, goes on: an operator wanted it to. A session
 * that waits for a decision goes on waiting. Any other run ends as interrupted, and goes on only where `resumeAfterCrash`
 * says so.
 */
export function planRecovery(
  state: SessionState,
  options: { readonly resumeAfterCrash: boolean; readonly newMessageId: () => string },
): Recovery {
  if (state.status !== 'running' && state.status !== 'awaiting_approval')
    return { drafts: [], resume: false };
  const started = state.openCalls.filter(isStarted);
  const settled = started.map(({ call, start }) =>
    start?.restartsProcess ? resultDraft(call.id, 'ok', RESTARTED) : resultDraft(call.id, 'unknown', UNKNOWN),
  );
  if (state.status === 'awaiting_approval') return { drafts: settled, resume: false };
  const asked = state.openCalls.some(
    ({ decision, start, result }) => decision !== undefined && start === undefined && result === undefined,
  );
  if (asked || started.some(({ start }) => start?.restartsProcess)) return { drafts: settled, resume: true };

  const drafts = [
    ...closeOpenCalls(state, { notStarted: NOT_STARTED, started: UNKNOWN }),
    interruptedEnd(state, 'The process ended while the run was at work.'),
  ];
  if (!options.resumeAfterCrash || state.systemPrompts >= MOST_RESUMES) return { drafts, resume: false };
  const goOn: EntryDraft = {
    kind: 'prompt',
    messageId: options.newMessageId(),
    text: GO_ON,
    source: 'system',
    by: 'agent',
  };
  return { drafts: [...drafts, goOn], resume: true };
}

function isStarted({ start, result }: OpenCall): boolean {
  return start !== undefined && result === undefined;
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
