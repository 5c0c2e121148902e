import { AgentError } from '../contracts/index.js';
import type { EntryDraft, RunError } from '../contracts/index.js';
import { closeOpenCalls } from '../session/close-calls.js';
import { interruptedEnd } from '../session/recovery.js';
import { undecidedAsks } from '../session/state.js';
import type { RunDeps, RunTarget } from './deps.js';
import { classifyModelError } from './model-errors.js';
import { CANCELLED_BEFORE_START } from './round-executor.js';
import { RunAborted } from './run-aborted.js';
import type { RunOutcome } from './session-rounds.js';
import { createSessionRounds } from './session-rounds.js';
import { summarizeSession } from './summarize.js';
import { waitFor } from '../wait.js';

const STARTED =
  'The run was cancelled while this ran; it may or may not have taken effect. Check before you call it again.';

/** How often a model call that failed for a passing reason is made again, and how long before. */
const MOST_RETRIES = 4;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/** Characters of an error's message that are kept: it is part of every answer about the session. */
const LONGEST_ERROR = 4_000;

type End = Omit<Extract<EntryDraft, { kind: 'end' }>, 'kind' | 'carriedUpTo'>;
/** What comes after one stretch of a run. */
type Next = End | 'suspend' | 'drive_again' | 'summarize' | { readonly retryAfterMs: number | undefined };

/**
 * Drives a session whose status is `running` until it is not: it ends, or waits for a decision. Rejects only when the
 * journal can no longer be written.
 */
export async function driveSession(target: RunTarget, deps: RunDeps): Promise<void> {
  const { journal, signal } = target;
  let carriedUpTo = ownPrompts(target);
  let retries = 0;
  let compacted = false;

  const end = async (reason: End): Promise<void> => {
    const error = reason.error === undefined ? {} : { error: await toStore(reason.error, deps) };
    if (signal.aborted) return endAborted(target, carriedUpTo);
    await journal.append(...closeAll(target), { kind: 'end', carriedUpTo, ...reason, ...error });
    carriedUpTo = ownPrompts(target);
    retries = 0;
  };

  while (journal.head.status === 'running') {
    const roundsBefore = journal.head.totals.rounds;
    const rounds = createSessionRounds(target, deps, { compacted });
    const failure = await deps.gateway.run(rounds).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    await rounds.settled();
    if (journal.failure !== undefined) throw journal.failure;
    carriedUpTo = Math.max(carriedUpTo, rounds.carriedUpTo);
    if (journal.head.totals.rounds > roundsBefore) {
      retries = 0;
      compacted = false;
    }
    if (signal.aborted) return endAborted(target, carriedUpTo);

    const next = nextOf(rounds.outcome, failure, deps.clock.now());
    if (next === 'suspend') {
      // A decision may have come while the free calls were finished.
      if (undecidedAsks(journal.head).length > 0) return journal.flushed();
    } else if (next === 'summarize') {
      if (compacted) await end(windowExceeded(failure));
      else {
        const stop = await compact(target, deps);
        if (stop !== undefined) await end(stop);
        compacted = true;
      }
    } else if (next !== 'drive_again') {
      if ('retryAfterMs' in next) {
        const retry = ++retries <= MOST_RETRIES;
        if (retry) await waitFor(deps.clock, retryDelay(retries, next.retryAfterMs), signal);
        else await end({ reason: 'model_error', error: describe(failure?.error) });
      } else if (next.reason !== 'answered' || journal.head.unsent.length === 0) {
        // A prompt that came after the last request was built is answered by the same run.
        await end(next);
      }
    }
  }
}

/** The prompts a run starts with are its own, whether or not a request gets to carry them. */
function ownPrompts({ journal }: RunTarget): number {
  return journal.head.run.turns === 0 ? journal.head.seq : 0;
}

function nextOf(outcome: RunOutcome, failure: { readonly error: unknown } | undefined, now: number): Next {
  if (outcome.kind === 'stopped') return { reason: outcome.reason, error: outcome.error };
  if (outcome.kind === 'suspended') return 'suspend';
  if (outcome.kind === 'too_long') return 'summarize';
  if (failure !== undefined && !isRunStopped(failure.error)) {
    const kind = classifyModelError(failure.error, now);
    if (kind.kind === 'window_exceeded') return 'summarize';
    if (kind.kind === 'transient') return { retryAfterMs: kind.retryAfterMs };
    return { reason: 'model_error', error: describe(failure.error) };
  }
  if (outcome.kind === 'answered') return { reason: 'answered' };
  if (outcome.progressed) return 'drive_again';
  const message = 'The gateway ended the run without asking the model anything.';
  return { reason: 'model_error', error: { code: 'gateway_fault', message } };
}

/** Summarises; gives the end of the run when that is not possible. */
async function compact(target: RunTarget, deps: RunDeps): Promise<End | undefined> {
  const summary = await summarizeSession(target, deps);
  switch (summary.kind) {
    case 'budget':
      return { reason: 'budget', error: summary.error };
    case 'failed':
      return target.signal.aborted ? undefined : { reason: 'model_error', error: describe(summary.error) };
    default:
      return undefined;
  }
}

/** Doubles each time; a provider that says how long to wait is believed, up to a bound. */
function retryDelay(attempt: number, retryAfterMs: number | undefined): number {
  return Math.min(LONGEST_RETRY_MS, retryAfterMs ?? FIRST_RETRY_MS * 2 ** (attempt - 1));
}

function windowExceeded(failure: { readonly error: unknown } | undefined): End {
  const said = failure === undefined ? '' : ` (${describe(failure.error).message})`;
  const message = `The conversation does not fit the model's context window, even after it was summarised${said}. Start a new session, or give the agent a model with a larger window.`;
  return { reason: 'model_error', error: { code: 'context_window_exceeded', message } };
}

function isRunStopped(error: unknown): boolean {
  return AgentError.isInstance(error) && error.code === 'run_stopped';
}

function describe(failure: unknown): RunError {
  const message = failure instanceof Error ? failure.message : String(failure);
  return { code: AgentError.isInstance(failure) ? failure.code : 'model_error', message };
}

/** Providers quote keys in their errors, and proxies answer with whole pages. */
async function toStore(error: RunError, { redactor }: RunDeps): Promise<RunError> {
  const message = await redactor.redact(error.message.toWellFormed());
  return {
    ...error,
    message: message.length > LONGEST_ERROR ? `${message.slice(0, LONGEST_ERROR)}…` : message,
  };
}

function closeAll({ journal }: RunTarget): readonly EntryDraft[] {
  return closeOpenCalls(journal.head, { notStarted: CANCELLED_BEFORE_START, started: STARTED });
}

async function endAborted(target: RunTarget, carriedUpTo: number): Promise<void> {
  const { journal, signal } = target;
  const { reason } = signal;
  if (reason instanceof RunAborted && reason.kind === 'closing') {
    // A call that was to end the process does just that: the next process goes on with its run.
    const restarting = journal.head.openCalls.some(
      ({ start, result }) => start?.restartsProcess && result === undefined,
    );
    if (restarting || journal.head.status === 'awaiting_approval') return journal.flushed();
    const stopped = interruptedEnd(journal.head, 'The server was stopped while the run was at work.');
    return journal.append(...closeAll(target), stopped);
  }
  const message = reason instanceof Error ? reason.message : 'The run was cancelled';
  return journal.append(...closeAll(target), {
    kind: 'end',
    reason: 'cancelled',
    carriedUpTo,
    error: { code: 'cancelled', message },
  });
}
