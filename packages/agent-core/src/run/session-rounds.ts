import { AgentError, RunStopped } from '../contracts/index.js';
import type { ModelReply, ModelRequest, Price, Rounds, RunError, StopReason, ToolCall } from '../contracts/index.js';
import { costMicros, toMicros, toUsd } from '../budget/money.js';
import { reserve } from '../budget/reserve.js';
import { withPromptsSent } from '../session/fold.js';
import type { RunDeps, RunTarget } from './deps.js';
import { normalizeReply, settleUsage } from './normalize-reply.js';
import type { RoundExecutor } from './round-executor.js';
import { createRoundExecutor, REPEATS_ALLOWED } from './round-executor.js';
import type { Toolbox } from './toolbox.js';
import { createToolboxMaker, listTools } from './toolbox.js';
import { unlessAborted } from './stepwise.js';

/** How the gateway's part of a run came out, as the engine sees it. */
export type RunOutcome =
  | { readonly kind: 'answered' }
  /** A call waits for a decision. */
  | { readonly kind: 'suspended' }
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

/** What was reserved and sent, until the reply settles it. */
interface OpenRequest {
  readonly price: Price | undefined;
  readonly promptTokens: number;
  readonly reservedMicros: number;
  readonly maxTokens: number;
  readonly lowered: boolean;
  readonly carriedUpTo: number;
  readonly model: string;
}

export function createSessionRounds(target: RunTarget, deps: RunDeps): SessionRounds {
  const { journal, meter, signal } = target;
  const toolboxOf = createToolboxMaker();
  let outcome: RunOutcome = { kind: 'unfinished', progressed: false };
  let carriedUpTo = 0;
  let request: OpenRequest | undefined;
  let executor: RoundExecutor | undefined;

  async function findToolbox(): Promise<Toolbox> {
    const tools = await listTools(deps.providers, deps.caller, deps.logger);
    return toolboxOf(tools, deps.settings());
  }

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
    throw stop('max_turns', {
      code: 'max_turns',
      message: `The run made ${run.turns} model calls, and maxTurns is ${limit}. Prompt again to go on, or raise maxTurns.`,
      spent: run.turns,
      limit,
    });
  }

  function remainingMicros(): { readonly remaining: number; readonly spent: number; readonly cap: number } {
    const { run, totals } = journal.head;
    const cap = toMicros(deps.settings().maxCostUsd);
    const ofSession = cap - totals.costMicros;
    const ofRun = run.maxCostMicros === undefined ? Infinity : run.maxCostMicros - run.costMicros;
    return ofRun < ofSession
      ? { remaining: ofRun, spent: run.costMicros, cap: run.maxCostMicros ?? cap }
      : { remaining: ofSession, spent: totals.costMicros, cap };
  }

  function reserveBudget(promptTokens: number, model: string | undefined): OpenRequest {
    const settings = deps.settings();
    const price = deps.prices.price(model);
    const common = { price, promptTokens, carriedUpTo: journal.head.seq, model: model ?? 'default' };
    if (price === undefined) {
      if (settings.unpricedModels === 'refuse') {
        throw stop('budget', {
          code: 'unpriced_model',
          message: `The price of the model '${common.model}' is not known, so the cost cap of $${settings.maxCostUsd} could not be kept. Set a price for it, or allow unpriced models.`,
        });
      }
      return { ...common, reservedMicros: 0, maxTokens: settings.maxTokens, lowered: false };
    }
    const { remaining, spent, cap } = remainingMicros();
    const reservation = reserve({ price, promptTokens, maxTokens: settings.maxTokens, remainingMicros: remaining });
    if (reservation === undefined) throw outOfBudget(spent, cap, 'the next model call may cost more than is left');
    return {
      ...common,
      reservedMicros: reservation.micros,
      maxTokens: reservation.maxTokens,
      lowered: reservation.lowered,
    };
  }

  function outOfBudget(spent: number, cap: number, why: string): RunStopped {
    return stop('budget', {
      code: 'budget',
      message: `The budget is used up: $${toUsd(spent).toFixed(6)} of $${toUsd(cap).toFixed(6)} spent, and ${why}. Raise maxCostUsd and prompt again to go on.`,
      spent: toUsd(spent),
      limit: toUsd(cap),
    });
  }

  /** A reply that could not be used: the model is told once, by the notice the fold derives; twice ends the run. */
  function afterUnusableReply(open: OpenRequest, finishReason: string): void {
    if (finishReason === 'length' && open.lowered) {
      const { spent, cap } = remainingMicros();
      outOfBudget(spent, cap, 'the last reply was cut where the budget ended');
    } else if (journal.head.run.unusable < 2) {
      outcome = { kind: 'unfinished', progressed: true };
    } else if (finishReason === 'stop') {
      stop('empty_reply', { code: 'empty_reply', message: 'The model answered twice in a row with nothing.' });
    } else {
      stop('cut_short', {
        code: 'cut_short',
        message: `Two replies in a row were cut short (${finishReason}); nothing of them was run.`,
      });
    }
  }

  /** The same call again and again makes no progress: after a warning the run ends. */
  async function stopRepetition(calls: readonly ToolCall[]): Promise<void> {
    await journal.append(
      ...calls.map((call) => {
        const text = `${call.name} was called with the same arguments ${REPEATS_ALLOWED + 1} times in a row; it was not run again, and the run ended.`;
        return {
          kind: 'result' as const,
          callId: call.id,
          outcome: 'cancelled' as const,
          text,
          truncated: false,
          bytes: Buffer.byteLength(text),
          durationMs: 0,
        };
      }),
    );
    stop('repeated_call', {
      code: 'repeated_call',
      message: `The model called ${calls[0]?.name ?? 'a tool'} with the same arguments ${REPEATS_ALLOWED + 1} times in a row.`,
    });
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
      const { model, systemPromptAppend } = deps.settings();
      const system = [deps.systemPrompt(), systemPromptAppend].filter((part) => part !== '').join('\n\n');
      const { messages } = withPromptsSent(journal.head);
      const promptTokens = meter.estimate({ system, tools: toolbox.definitions }, messages);
      request = reserveBudget(promptTokens, model);
      carriedUpTo = request.carriedUpTo;
      return {
        ...(model === undefined ? {} : { model }),
        system,
        messages: messages.view(),
        tools: toolbox.definitions,
        maxTokens: request.maxTokens,
        conversationId: journal.head.id,
      };
    },

    async record(reply: ModelReply): Promise<readonly ToolCall[]> {
      const open = request;
      if (open === undefined) throw new AgentError('gateway_fault', 'The gateway recorded a reply it had not requested');
      request = undefined;
      const { content, calls, droppedCalls, finishReason } = normalizeReply(reply, journal.head.seq + 1);
      const { usage, estimated } = settleUsage(reply.usage, {
        promptTokens: open.promptTokens,
        completionTokens: open.maxTokens,
      });
      const cost = open.price === undefined ? 0 : costMicros(open.price, usage);
      const recorded = journal.append({
        kind: 'round',
        content: deps.redactor.redact(content),
        calls,
        ...(droppedCalls > 0 ? { droppedCalls } : {}),
        finishReason,
        carriedUpTo: open.carriedUpTo,
        usage,
        ...(estimated ? { usageEstimated: true as const } : {}),
        costMicros: cost,
        reservedMicros: open.reservedMicros,
        ...(open.price !== undefined && cost > open.reservedMicros ? { overrun: true as const } : {}),
        ...(open.lowered ? { loweredMaxTokens: open.maxTokens } : {}),
        model: reply.model ?? open.model,
      });
      if (calls.length === 0) {
        if (journal.head.run.unusable > 0) afterUnusableReply(open, finishReason);
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
      signal.throwIfAborted();
      return calls;
    },

    async callTool(call: ToolCall): Promise<string> {
      signal.throwIfAborted();
      if (executor === undefined) throw new AgentError('gateway_fault', 'The gateway ran a call before any round');
      executor.run().catch(() => undefined);
      try {
        return await unlessAborted(executor.textOf(call.id), signal);
      } catch (error) {
        if (RunStopped.isInstance(error) && error.code === 'run_stopped') throw suspend();
        throw error;
      }
    },

    async settled(): Promise<void> {
      await executor?.run().catch(() => undefined);
    },
  };
}
