import { AgentError, RunStopped } from '../contracts/index.js';
import type { EntryDraft, RunError } from '../contracts/index.js';
import { closeOpenCalls } from '../session/close-calls.js';
import { interruptedEnd } from '../session/recovery.js';
import { undecidedAsks } from '../session/state.js';
import type { RunDeps, RunTarget } from './deps.js';
import { CANCELLED_BEFORE_START } from './round-executor.js';
import { createSessionRounds } from './session-rounds.js';

/** Why a run's signal was aborted; its abort reason. */
export class RunAborted extends AgentError {
  override readonly name = 'RunAborted';
  readonly kind: 'cancelled' | 'closing';
  readonly by: string;
  constructor(cause: 'cancelled' | 'closing', by: string) {
    super('run_aborted', cause === 'cancelled' ? `The run was cancelled by ${by}` : 'The agent is stopping');
    this.kind = cause;
    this.by = by;
  }
}

const STARTED = 'The run was cancelled while this ran; it may or may not have taken effect. Check before you call it again.';

/**
 * Drives a session whose status is `running` until it is not: it ends, or waits for a decision. Rejects only when the
 * journal can no longer be written.
 */
export async function driveSession(target: RunTarget, deps: RunDeps): Promise<void> {
  const { journal, signal } = target;
  let carriedUpTo = ownPrompts(target);

  while (journal.head.status === 'running') {
    const rounds = createSessionRounds(target, deps);
    let failure: unknown;
    try {
      await deps.gateway.run(rounds);
    } catch (error) {
      failure = error;
    }
    await rounds.settled();
    if (journal.failure !== undefined) throw journal.failure;
    carriedUpTo = Math.max(carriedUpTo, rounds.carriedUpTo);

    if (signal.aborted) {
      await journal.append(...closeAll(target), abortedEnd(target, carriedUpTo));
      return;
    }
    const end = endOf(rounds.outcome, failure);
    if (end === 'suspended' && undecidedAsks(journal.head).length > 0) return journal.flushed();
    if (end === 'suspended' || end === 'go_on') continue;
    // A prompt that came after the last request was built is answered by the same run.
    if (end.reason === 'answered' && journal.head.unsent.length > 0) continue;
    await journal.append(...closeAll(target), { kind: 'end', carriedUpTo, ...end });
    carriedUpTo = ownPrompts(target);
  }
}

/** The prompts a run starts with are its own, whether or not a request gets to carry them. */
function ownPrompts({ journal }: RunTarget): number {
  return journal.head.run.turns === 0 ? journal.head.seq : 0;
}

type End = Omit<Extract<EntryDraft, { kind: 'end' }>, 'kind' | 'carriedUpTo'>;

function endOf(outcome: ReturnType<typeof createSessionRounds>['outcome'], failure: unknown): End | 'suspended' | 'go_on' {
  if (outcome.kind === 'stopped') return { reason: outcome.reason, error: outcome.error };
  if (outcome.kind === 'suspended') return 'suspended';
  if (failure !== undefined && !isRunStopped(failure)) return { reason: 'model_error', error: describe(failure) };
  if (outcome.kind === 'answered') return { reason: 'answered' };
  if (outcome.progressed) return 'go_on';
  return {
    reason: 'model_error',
    error: { code: 'gateway_fault', message: 'The gateway ended the run without asking the model anything.' },
  };
}

function isRunStopped(error: unknown): boolean {
  return AgentError.isInstance(error) && error.code === new RunStopped('').code;
}

function describe(failure: unknown): RunError {
  const message = failure instanceof Error ? failure.message : String(failure);
  return { code: AgentError.isInstance(failure) ? failure.code : 'model_error', message };
}

function closeAll({ journal }: RunTarget): readonly EntryDraft[] {
  return closeOpenCalls(journal.head, { notStarted: CANCELLED_BEFORE_START, started: STARTED });
}

function abortedEnd({ journal, signal }: RunTarget, carriedUpTo: number): EntryDraft {
  const { reason } = signal;
  if (reason instanceof RunAborted && reason.kind === 'closing') {
    return interruptedEnd(journal.head, 'The server was stopped while the run was at work.');
  }
  return {
    kind: 'end',
    reason: 'cancelled',
    carriedUpTo,
    error: { code: 'cancelled', message: reason instanceof Error ? reason.message : 'The run was cancelled' },
  };
}
