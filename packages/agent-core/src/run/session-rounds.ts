import { AgentError, RunStopped } from '../contracts/index.js';
import type { ModelReply, ModelRequest, Rounds, RunError, StopReason, ToolCall } from '../contracts/index.js';
import type { CallReservation } from '../budget/ledger.js';
import { budgetError, isReservation, remainingMicros, reserveCall, settleCall } from '../budget/ledger.js';
import { redactArguments } from '../redaction/redact-arguments.js';
import { resultDraft } from '../session/close-calls.js';
import { explainDelimiter } from '../session/delimit.js';
import { withPromptsSent } from '../session/fold.js';
import { REPEATS_ALLOWED } from '../session/notices.js';
import { compactionThreshold } from '../settings.js';
import type { RunDeps, RunTarget } from './deps.js';
import { modelName, normalizeReply, settleUsage } from './normalize-reply.js';
import type { RoundExecutor } from './round-executor.js';
import { createRoundExecutor } from './round-executor.js';
import { unlessAborted } from './stepwise.js';
import { cutShortError, EMPTY_REPLY, maxTurnsError, repeatedCallError } from './stop-errors.js';
import type { Toolbox } from './toolbox.js';

/** How the gateway's part of a run came out, as the engine sees it. */
export type RunOutcome =
  | { readonly kind: 'answered' }
  /** A call waits for a decision. */
  | { readonly kind: 'suspended' }
  /** The older messages have to be summarised before the next request. */
  | { readonly kind: 'too_long' }
  /** The engine ended the run. */
  | { readonly kind: 'stopped'; readonly reason: StopReason; readonly error: RunError }
  /** The gateway came back although there is more to do: drive it again. */
  | { readonly kind: 'unfinished'; readonly progressed: boolean };

/** The engine's side of one run, over a session's journal. */
export interface SessionRounds extends Rounds {
  /** The last prompt the last request carried. */
  readonly carriedUpTo: number;
  readonly outcome: RunOutcome;
  /** Settles when none of the run's tool calls is being carried out any more. */
  settled(): Promise<void>;
}

interface OpenRequest extends CallReservation {
  readonly carriedUpTo: number;
  readonly toolbox: Toolbox;
}

export function createSessionRounds(
  target: RunTarget,
  deps: RunDeps,
  options: {
    /** Older messages were just summarised, or cannot be: send what there is. */ readonly compacted: boolean;
  },
): SessionRounds {
  const { journal, view, fixedParts, exactArguments, signal } = target;
  // A provider may be deaf to everything; a cancel must not wait for it.
  const findToolbox = () => {
    const found = deps.findToolbox();
    const forSession = (toolbox: Toolbox) => toolbox.withOffered(journal.head.offered);
    return found instanceof Promise ? unlessAborted(found, signal).then(forSession) : forSession(found);
  };
  let outcome: RunOutcome = { kind: 'unfinished', progressed: false };
  let carriedUpTo = 0;
  let open: OpenRequest | undefined;
  let executor: RoundExecutor | undefined;

  function stop(reason: StopReason, error: RunError): RunStopped {
    outcome = { kind: 'stopped', reason, error };
    return new RunStopped(reason);
  }

  function suspend(): RunStopped {
    outcome = { kind: 'suspended' };
    return new RunStopped('awaiting_approval');
  }

  /** Carries out what an earlier run left open: decided calls, and those that waited behind them. */
  async function finishOpenCalls(): Promise<void> {
    if (journal.head.openCalls.length === 0) return;
    executor = createRoundExecutor(target, deps, findToolbox);
    await executor.ask();
    await executor.run();
    if (journal.head.openCalls.length > 0) throw suspend();
  }

  function checkTurns(): void {
    const { run } = journal.head;
    const limit = Math.min(deps.settings().maxTurns, run.maxTurns ?? Infinity);
    if (run.turns < limit) return;
    throw stop('max_turns', maxTurnsError(run.turns, limit));
  }

  /** A reply that could not be used: the model is told once, by the notice the fold derives; twice ends the run. */
  function afterUnusableReply(request: OpenRequest, finishReason: string): void {
    if (finishReason === 'length' && request.lowered) {
      const { spent, cap } = remainingMicros(journal.head, deps.settings());
      stop('budget', budgetError(spent, cap, 'the last reply was cut where the budget ended'));
    } else if (journal.head.run.unusable < 2) {
      outcome = { kind: 'unfinished', progressed: true };
    } else if (finishReason === 'stop') {
      stop('empty_reply', EMPTY_REPLY);
    } else {
      stop('cut_short', cutShortError(finishReason));
    }
  }

  /** The same call again and again makes no progress: after a warning the run ends. */
  async function stopRepetition(calls: readonly ToolCall[]): Promise<void> {
    const name = calls.at(-1)?.name ?? 'a tool';
    const times = `with the same arguments ${REPEATS_ALLOWED + 1} times in a row`;
    const text = `${name} was called ${times}; nothing of this reply was run, and the run ended.`;
    await journal.append(...calls.map((call) => resultDraft(call.id, 'cancelled', text)));
    stop('repeated_call', repeatedCallError(name, times));
  }

  /** The calls as they are journaled: where that hides a secret, the exact arguments stay in memory. */
  async function maskCalls(calls: readonly ToolCall[], toolbox: Toolbox): Promise<readonly ToolCall[]> {
    return Promise.all(
      calls.map(async (given) => {
        const known = toolbox.get(given.name) !== undefined;
        const call = known ? given : { ...given, name: await deps.redactor.redact(given.name) };
        const { value, masked } = await redactArguments(deps.redactor, call.arguments);
        if (masked.length === 0) return call;
        exactArguments.set(call.id, call.arguments);
        return { ...call, arguments: value, masked };
      }),
    );
  }

  return {
    signal,
    // One more than the engine will answer, so that the engine is the one that ends the run.
    get maxRounds() {
      return Math.max(1, deps.settings().maxTurns - journal.head.run.turns) + 1;
    },
    get carriedUpTo() {
      return carriedUpTo;
    },
    get outcome() {
      return outcome;
    },

    async request(): Promise<ModelRequest> {
      signal.throwIfAborted();
      await executor?.run();
      await finishOpenCalls();
      signal.throwIfAborted();
      checkTurns();
      const toolbox = await findToolbox();
      signal.throwIfAborted();
      // From here to the end nothing is awaited: the request and what it carries are of one moment.
      const settings = deps.settings();
      const { head } = journal;
      const system = [deps.systemPrompt(), explainDelimiter(head.delimiter), settings.systemPromptAppend]
        .filter((part) => part !== '')
        .join('\n\n');
      const threshold = compactionThreshold(settings);
      const { messages, tokens } = view.prepare(withPromptsSent(head).messages, threshold / 2);
      const estimatedPromptTokens = tokens + fixedParts.count(system, toolbox.definitions);
      if (estimatedPromptTokens * head.tokenRatio > threshold && !options.compacted) {
        outcome = { kind: 'too_long' };
        throw new RunStopped('too_long');
      }
      const { model, maxTokens } = settings;
      const reservation = reserveCall(
        { estimatedPromptTokens, maxTokens, model },
        head,
        settings,
        deps.prices,
      );
      if (!isReservation(reservation)) throw stop('budget', reservation);
      carriedUpTo = head.seq;
      open = { ...reservation, carriedUpTo, toolbox };
      return {
        ...(model === undefined ? {} : { model }),
        system,
        messages,
        tools: toolbox.definitions,
        maxTokens: reservation.maxTokens,
        conversationId: head.id,
      };
    },

    async record(given: ModelReply | null | undefined): Promise<readonly ToolCall[]> {
      // No reply at all is an empty one: the call was made, and may have to be paid for.
      const reply = given ?? {};
      const request = open;
      if (request === undefined)
        throw new AgentError('gateway_fault', 'The gateway recorded a reply it had not requested');
      open = undefined;
      await deps.turnstile();
      const normal = normalizeReply(reply, journal.head.seq + 1);
      const content = await deps.redactor.redact(normal.content);
      const { usage, estimated } = settleUsage(reply.usage, {
        promptTokens: request.reservedPromptTokens,
        completionTokens: request.maxTokens,
      });
      const { costMicros, overrun } = settleCall(request, usage);
      const calls = await maskCalls(normal.calls, request.toolbox);
      const recorded = journal.append({
        kind: 'round',
        content,
        calls,
        ...(normal.droppedCalls > 0 ? { droppedCalls: normal.droppedCalls } : {}),
        finishReason: normal.finishReason,
        carriedUpTo: request.carriedUpTo,
        usage,
        estimatedPromptTokens: request.estimatedPromptTokens,
        ...(estimated ? { usageEstimated: true as const } : {}),
        costMicros,
        reservedMicros: request.micros,
        ...(overrun ? { overrun: true as const } : {}),
        ...(request.lowered ? { loweredMaxTokens: request.maxTokens } : {}),
        model: modelName(reply.model) ?? request.model,
      });
      if (calls.length === 0) {
        if (journal.head.run.unusable > 0) afterUnusableReply(request, normal.finishReason);
        else outcome = { kind: 'answered' };
        await recorded;
        return [];
      }
      outcome = { kind: 'unfinished', progressed: true };
      if (journal.head.repetition.count > REPEATS_ALLOWED) {
        await stopRepetition(calls);
        return [];
      }
      executor = createRoundExecutor(target, deps, findToolbox);
      await Promise.all([recorded, executor.ask()]);
      await deps.turnstile();
      signal.throwIfAborted();
      return calls;
    },

    async callTool(call: ToolCall): Promise<string> {
      signal.throwIfAborted();
      if (executor === undefined)
        throw new AgentError('gateway_fault', 'The gateway ran a call before any round');
      executor.run().catch(() => undefined);
      try {
        return await unlessAborted(executor.textOf(call.id), signal);
      } catch (error) {
        if (AgentError.isInstance(error) && error.code === 'run_stopped') throw suspend();
        throw error;
      }
    },

    async settled(): Promise<void> {
      await executor?.run().catch(() => undefined);
    },
  };
}
