import { ConflictError, NotFoundError } from '../contracts/index.js';
import type { AskEntry, PromptSource } from '../contracts/index.js';
import { closeOpenCalls } from '../session/close-calls.js';
import { planRecovery } from '../session/recovery.js';
import type { Journal } from '../session/journal.js';
import type { ContextMeter } from '../budget/context-meter.js';
import type { RunDeps } from './deps.js';
import { driveSession, RunAborted } from './drive-session.js';
import { CANCELLED_BEFORE_START } from './round-executor.js';
import type { Slots } from './slots.js';

/** A prompt as the session accepts it. */
export interface AcceptedPrompt {
  readonly messageId: string;
  readonly text: string;
  readonly source: PromptSource;
  readonly by: string;
  readonly maxTurns?: number;
  readonly maxCostMicros?: number;
}

/** A session in memory: its journal, and its run while one is at work. */
export interface LiveSession {
  readonly journal: Journal;
  readonly busy: boolean;
  /** Durable when it resolves; the run then starts or goes on. A message id that is known already is not added again. */
  prompt(prompt: AcceptedPrompt): Promise<void>;
  /**
   * Durable when it resolves. Rejects with `ConflictError` when the approval is resolved already, and with
   * `NotFoundError` when it is not among those of the open round.
   */
  decide(decision: {
    readonly approvalId: string;
    readonly approved: boolean;
    readonly by: string;
    readonly note?: string;
  }): Promise<AskEntry>;
  /** Ends the run and voids what waits. `false` when there was nothing to end. */
  cancel(by: string): Promise<boolean>;
  /** Brings a session that another process left into a state from which it can go on. */
  recover(): Promise<'interrupted' | 'resumed' | 'untouched'>;
  /** Ends the run as interrupted; a session that waits for a decision goes on waiting. */
  stop(): Promise<void>;
}

export function alreadyResolved(approvalId: string): ConflictError {
  return new ConflictError(`The approval ${approvalId} has been resolved already, by a decision or a cancel`, {
    code: 'already_resolved',
  });
}

export function createLiveSession(parts: {
  readonly journal: Journal;
  readonly meter: ContextMeter;
  readonly deps: RunDeps;
  readonly slots: Slots;
  /** Runs the callback in the context the agent was created in, not in that of the request at hand. */
  readonly inAgentContext: (work: () => Promise<void>) => Promise<void>;
  /** The session's memory is of no use any more. */
  readonly onBroken: () => void;
  readonly onQuiet: () => void;
}): LiveSession {
  const { journal, meter, deps, slots } = parts;
  let run: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  let cancelling: Promise<unknown> | undefined;
  let stopped = false;

  /** Starts the run if there is one to start. Claims synchronously, so that there is never a second one. */
  function startRun(): void {
    if (run !== undefined || stopped || journal.failure !== undefined || journal.head.status !== 'running') return;
    const controller = new AbortController();
    const done = parts.inAgentContext(() => work(controller.signal)).finally(() => {
      run = undefined;
      // A decision or a prompt may have come after the run had looked for the last time.
      startRun();
      if (run === undefined) parts.onQuiet();
    });
    run = { controller, done };
  }

  async function work(signal: AbortSignal): Promise<void> {
    let giveBack = (): void => undefined;
    try {
      giveBack = await slots.take(signal).catch(() => giveBack);
      await driveSession({ journal, meter, signal }, deps);
    } catch (error) {
      deps.logger.error(`The session ${journal.head.id} cannot be written any more: ${String(error)}`);
      parts.onBroken();
    } finally {
      giveBack();
    }
  }

  async function abort(reason: RunAborted): Promise<boolean> {
    if (run !== undefined) {
      run.controller.abort(reason);
      await run.done;
      return true;
    }
    return false;
  }

  async function cancelNow(by: string): Promise<boolean> {
    if (await abort(new RunAborted('cancelled', by))) return true;
    if (journal.head.status !== 'awaiting_approval') return false;
    await journal.append(
      ...closeOpenCalls(journal.head, { notStarted: CANCELLED_BEFORE_START, started: CANCELLED_BEFORE_START }),
      {
        kind: 'end',
        reason: 'cancelled',
        carriedUpTo: journal.head.seq,
        error: { code: 'cancelled', message: new RunAborted('cancelled', by).message },
      },
    );
    return true;
  }

  return {
    journal,
    get busy() {
      return run !== undefined || cancelling !== undefined;
    },

    async prompt(prompt) {
      // A prompt given after a cancel is not part of what is cancelled.
      await cancelling;
      if ([...journal.head.messageIds].includes(prompt.messageId)) return journal.flushed();
      await journal.append({ kind: 'prompt', ...prompt });
      startRun();
    },

    async decide({ approvalId, ...decision }) {
      const open = journal.head.openCalls.find(({ ask }) => ask?.approvalId === approvalId);
      if (open?.ask === undefined) throw new NotFoundError(`No approval ${approvalId} waits in this session`);
      if (open.decision !== undefined || open.result !== undefined || cancelling !== undefined) {
        throw alreadyResolved(approvalId);
      }
      await journal.append({ kind: 'decision', approvalId, ...decision });
      startRun();
      return open.ask;
    },

    async cancel(by) {
      if (cancelling !== undefined) {
        await cancelling;
        return false;
      }
      const work = cancelNow(by);
      cancelling = work.catch(() => undefined).finally(() => (cancelling = undefined));
      const cancelled = await work;
      for (const provider of deps.providers) await provider.sessionEnded?.(journal.head.id);
      return cancelled;
    },

    async recover() {
      const { drafts, resume } = planRecovery(journal.head);
      if (drafts.length > 0) await journal.append(...drafts);
      if (resume) startRun();
      return resume ? 'resumed' : drafts.length > 0 && journal.head.status === 'idle' ? 'interrupted' : 'untouched';
    },

    async stop() {
      stopped = true;
      await abort(new RunAborted('closing', 'the server'));
    },
  };
}
