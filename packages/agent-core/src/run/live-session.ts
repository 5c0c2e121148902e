import { alreadyResolved, checkGrant } from '../approval/check-decision.js';
import { ConflictError, NotFoundError } from '../contracts/index.js';
import type { AskEntry, Entry, PromptSource, SessionStore } from '../contracts/index.js';
import { closeOpenCalls } from '../session/close-calls.js';
import { planRecovery } from '../session/recovery.js';
import type { Journal } from '../session/journal.js';
import { messageKey } from '../session/state.js';
import { watchSession } from '../session/watch-session.js';
import { checkFollowup } from './check-followup.js';
import type { RunDeps, SessionMemory } from './deps.js';
import { driveSession } from './drive-session.js';
import { endForProviders } from './end-for-providers.js';
import { CANCELLED_BEFORE_START } from './round-executor.js';
import { RunAborted } from './run-aborted.js';
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

export type Recovered = 'interrupted' | 'resumed' | 'untouched';

/** A session in memory: its journal, and its run while one is at work. */
export interface LiveSession {
  readonly journal: Journal;
  readonly busy: boolean;
  /** Since when the run waits for its turn, if it does. */
  readonly queuedAt: number | undefined;
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
    readonly remember?: 'session';
  }): Promise<AskEntry>;
  /** Takes a grant back. Rejects with `NotFoundError` when it is not in force. */
  revokeGrant(approvalId: string, by: string): Promise<void>;
  /** Ends the run and voids what waits. `false` when there was nothing to end. */
  cancel(by: string): Promise<boolean>;
  /** The entries after a seq, then each as it becomes durable, until the signal aborts or the session is gone. */
  watch(afterSeq: number, signal: AbortSignal): AsyncGenerator<Entry, void, undefined>;
  /**
   * Brings a session that was read from the store into a state from which it can go on, and goes on where it should: a
   * run that is in the store and not in memory was cut off.
   */
  recover(): Promise<void>;
  /** What `recover` did. */
  readonly recovered: Recovered;
  /** Ends the run as interrupted; a session that waits for a decision goes on waiting. */
  stop(): Promise<void>;
  /** Ends every watch: this copy of the session is not the one in use any more. */
  release(): void;
}

export function createLiveSession(parts: {
  readonly memory: SessionMemory;
  readonly store: SessionStore;
  readonly deps: RunDeps;
  readonly slots: Slots;
  /** Runs the callback in the context the agent was created in, not in that of the request at hand. */
  readonly inAgentContext: (work: () => Promise<void>) => Promise<void>;
  /** The session's memory is of no use any more, and nothing of it runs: only the store knows what holds. */
  readonly onBroken: () => void;
  readonly onQuiet: () => void;
}): LiveSession {
  const { memory, deps, slots } = parts;
  const { journal } = memory;
  let run: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  let cancelling: Promise<unknown> | undefined;
  let stopped = false;
  let broken = false;
  let recovered: Recovered = 'untouched';
  let queuedAt: number | undefined;
  let watchers = 0;
  const released = new AbortController();
  journal.onDurable(() => {
    if (journal.failure !== undefined) giveUp(journal.failure);
  });

  /** Memory is ahead of the store: ends what runs, then hands the session back. */
  function giveUp(error: unknown): void {
    if (broken) return;
    broken = true;
    deps.logger.error(
      `The session ${journal.head.id} could not be written and is read anew: ${String(error)}`,
    );
    run?.controller.abort(new RunAborted('broken', 'the store'));
    void (run?.done ?? Promise.resolve()).then(parts.onBroken);
  }

  /** Starts the run if there is one to start. Claims synchronously, so that there is never a second one. */
  function startRun(): void {
    if (run !== undefined || stopped || broken || journal.head.status !== 'running') return;
    const controller = new AbortController();
    const done = parts
      .inAgentContext(() => work(controller.signal))
      .finally(() => {
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
      queuedAt = deps.clock.now();
      giveBack = await slots.take(signal).catch(() => giveBack);
      queuedAt = undefined;
      await driveSession({ ...memory, signal }, deps);
    } catch (error) {
      giveUp(error);
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
      ...closeOpenCalls(journal.head, {
        notStarted: CANCELLED_BEFORE_START,
        started: CANCELLED_BEFORE_START,
      }),
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
      const writing = journal.head !== journal.durable;
      return run !== undefined || cancelling !== undefined || watchers > 0 || writing;
    },
    get queuedAt() {
      return queuedAt;
    },

    async prompt(prompt) {
      // A prompt given after a cancel is not part of what is cancelled.
      await cancelling;
      if (stopped)
        throw new ConflictError(`The session ${journal.head.id} is being deleted, or the agent stops`);
      if (journal.head.messageKeys.view().includes(messageKey(prompt))) return journal.flushed();
      checkFollowup(prompt.source, journal.head, deps.settings());
      await journal.append({ kind: 'prompt', ...prompt });
      startRun();
    },

    async decide({ approvalId, ...decision }) {
      const open = journal.head.openCalls.find(({ ask }) => ask?.approvalId === approvalId);
      if (open?.ask === undefined) throw new NotFoundError(`No approval ${approvalId} waits in this session`);
      if (open.decision !== undefined || open.result !== undefined || cancelling !== undefined) {
        // Not before it is durable: a crash would make the answer untrue.
        await journal.flushed();
        throw alreadyResolved(approvalId);
      }
      if (decision.remember !== undefined) checkGrant(open.ask, decision.approved);
      await journal.append({ kind: 'decision', approvalId, ...decision });
      startRun();
      return open.ask;
    },

    async revokeGrant(approvalId, by) {
      if (!journal.head.grants.some((grant) => grant.approvalId === approvalId)) {
        throw new NotFoundError(`No grant ${approvalId} is in force in this session`);
      }
      await journal.append({ kind: 'decision', approvalId, approved: false, by, revokesGrant: true });
    },

    async cancel(by) {
      if (cancelling !== undefined) {
        await cancelling;
        return false;
      }
      const work = cancelNow(by);
      cancelling = work.catch(() => undefined).finally(() => (cancelling = undefined));
      const cancelled = await work;
      await endForProviders(deps, journal.head.id, 'cancelled');
      return cancelled;
    },

    async *watch(afterSeq, signal) {
      watchers++;
      try {
        const either = AbortSignal.any([signal, released.signal]);
        yield* watchSession(journal, parts.store, { afterSeq, signal: either, clock: deps.clock });
      } finally {
        watchers--;
      }
    },

    async recover() {
      const { drafts, resume } = planRecovery(journal.head, {
        resumeAfterCrash: deps.settings().resumeAfterCrash,
        newMessageId: () => deps.newId('msg'),
      });
      if (drafts.length > 0) await journal.append(...drafts);
      // The process may have ended between the cancel and the word of it.
      if (journal.head.status === 'aborted') await endForProviders(deps, journal.head.id, 'cancelled');
      if (resume) {
        recovered = 'resumed';
        startRun();
      } else if (journal.head.stopReason === 'interrupted' && drafts.length > 0) recovered = 'interrupted';
    },
    get recovered() {
      return recovered;
    },

    async stop() {
      stopped = true;
      await abort(new RunAborted('closing', 'the server'));
    },

    release() {
      released.abort();
    },
  };
}
