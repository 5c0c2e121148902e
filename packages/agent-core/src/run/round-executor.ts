import { EFFECTS, RunStopped } from '../contracts/index.js';
import type { Effect, EntryDraft, JsonObject, ToolCall } from '../contracts/index.js';
import { fingerprintCall } from '../approval/fingerprint.js';
import type { OpenCall } from '../session/state.js';
import { createAnswer } from './answer.js';
import type { RunDeps, RunTarget } from './deps.js';
import type { Examined } from './examine-call.js';
import { examineCall } from './examine-call.js';
import type { Execution } from './execute-tool.js';
import { executeTool } from './execute-tool.js';
import { limitText } from './limit-text.js';
import type { FindToolbox, Toolbox } from './toolbox.js';
import { waitFor } from '../wait.js';

/** What a call reads as that never ran because its run ended first. */
export const CANCELLED_BEFORE_START = 'The run ended before this call started; it was not run.';

/** How long a restart may take before the call counts as failed. */
const RESTART_WAIT_MS = 120_000;

/** Carries out the open calls of one round: refuses, asks, runs, and journals every step before the next. */
export interface RoundExecutor {
  /** Journals an ask for every call the gate holds, all together. Durable when it resolves. */
  ask(): Promise<void>;
  /** Runs what may run, once, however often it is called. Settles when nothing of it is running any more. */
  run(): Promise<void>;
  /** The text of one call's result; rejects with `RunStopped` when the call has to wait for a decision. */
  textOf(callId: string): Promise<string>;
}

type Judged = Extract<Examined, { kind: 'judged' }>;

export function createRoundExecutor(
  target: RunTarget,
  deps: RunDeps,
  findToolbox: FindToolbox,
): RoundExecutor {
  const { journal, signal, exactArguments } = target;
  const calls = journal.head.openCalls.filter(({ result }) => result === undefined).map(({ call }) => call);
  const answers = new Map(calls.map((call) => [call.id, createAnswer()]));
  // Not every call is asked about: a resumed round has no gateway waiting for it.
  for (const { promise } of answers.values()) promise.catch(() => undefined);
  const looks = new Map<string, { readonly seen: readonly unknown[]; readonly examined: Examined }>();
  let running: Promise<void> | undefined;

  const openCall = (id: string): OpenCall | undefined =>
    journal.head.openCalls.find(({ call }) => call.id === id);

  function exactOf(call: ToolCall): JsonObject | undefined {
    return call.masked === undefined ? call.arguments : exactArguments.get(call.id);
  }

  /** A call is looked at when it comes, when the round is planned and when it runs: mostly nothing changed in between. */
  function examine(call: ToolCall, toolbox: Toolbox): Examined {
    const seen = [exactOf(call), toolbox, deps.settings(), journal.head.grants] as const;
    const before = looks.get(call.id);
    if (before !== undefined && seen.every((part, at) => part === before.seen[at])) return before.examined;
    const examined = examineCall(call, ...seen);
    looks.set(call.id, { seen, examined });
    return examined;
  }

  function fingerprint(call: ToolCall): string {
    return fingerprintCall({ ...call, arguments: exactOf(call) ?? call.arguments }, deps.fingerprintKey);
  }

  async function settle(
    call: ToolCall,
    execution: Pick<Execution, 'outcome' | 'text'> & Partial<Execution>,
    effect: Effect,
  ): Promise<'done'> {
    const { outcome } = execution;
    const fromTool = outcome === 'ok' || outcome === 'error';
    const { redactor } = deps;
    // Secrets go before the cut, which might leave half of one.
    const clean = fromTool
      ? await redactor.redactOutput(execution.text)
      : await redactor.redact(execution.text);
    const limited = limitText(clean, deps.settings().maxResultBytes);
    const { text } = limited;
    exactArguments.delete(call.id);
    const result: EntryDraft = {
      kind: 'result',
      callId: call.id,
      outcome,
      text,
      truncated: limited.truncated || (execution.truncated ?? false),
      bytes: limited.bytes,
      durationMs: execution.durationMs ?? 0,
      ...(execution.offers === undefined ? {} : { offers: execution.offers }),
    };
    // What a read found can be found again; what an effect did must not be forgotten.
    if (effect === 'read') journal.appendSoon(result);
    else await journal.append(result);
    answers.get(call.id)?.resolve(text);
    return 'done';
  }

  function askDraft(call: ToolCall, { effect, toolId }: Judged): EntryDraft {
    return {
      kind: 'ask',
      approvalId: deps.newId('apr'),
      callId: call.id,
      tool: call.name,
      arguments: call.arguments,
      effect,
      fingerprint: fingerprint(call),
      toolId,
      ...(call.masked === undefined ? {} : { masked: call.masked }),
    };
  }

  async function ask(): Promise<void> {
    const toolbox = await findToolbox();
    const asks = calls.flatMap((call) => {
      const examined = examine(call, toolbox);
      const asked = openCall(call.id)?.ask !== undefined;
      return !asked && examined.kind === 'judged' && examined.verdict.kind === 'ask'
        ? [askDraft(call, examined)]
        : [];
    });
    if (asks.length > 0) await journal.append(...asks);
  }

  /** Looks at the call once more, with the tools and settings of this moment, and carries it out or lets it wait its turn. */
  async function carryOut(call: ToolCall, only: 'reads' | 'all'): Promise<'done' | 'waits'> {
    const examined = examine(call, await findToolbox());
    signal.throwIfAborted();
    const open = openCall(call.id);
    if (open === undefined || open.result !== undefined) return 'done';
    if (open.decision?.approved === false) {
      return settle(call, { outcome: 'denied', text: describeDenial(call.name, open.decision.note) }, 'read');
    }
    if (examined.kind === 'invalid') return settle(call, { outcome: 'invalid', text: examined.text }, 'read');
    const { verdict, effect } = examined;
    if (verdict.kind === 'deny') return settle(call, { outcome: 'denied', text: verdict.reason }, 'read');
    if (open.decision === undefined && (verdict.kind === 'ask' || open.ask !== undefined)) {
      if (open.ask === undefined) await journal.append(askDraft(call, examined));
      return 'waits';
    }
    if (open.decision !== undefined && !covers(open, call, examined)) {
      const text = `${call.name} is no longer what was approved. Call it again to ask anew.`;
      return settle(call, { outcome: 'denied', text }, 'read');
    }
    // Settings may have changed since the round was looked at: what was refused then may have an effect now.
    if (only === 'reads' && effect !== 'read') return 'waits';
    return start(call, examined, effect);
  }

  /** A decision covers one call of one tool with exactly these arguments, at most at the effect that was shown. */
  function covers({ ask: asked }: OpenCall, call: ToolCall, { effect, toolId }: Judged): boolean {
    return (
      asked !== undefined &&
      asked.toolId === toolId &&
      asked.fingerprint === fingerprint(call) &&
      EFFECTS.indexOf(effect) <= EFFECTS.indexOf(asked.effect)
    );
  }

  async function start(call: ToolCall, { tool, input }: Judged, effect: Effect): Promise<'done'> {
    const restarts = tool.restartsProcess === true;
    if (effect !== 'read') {
      await journal.append({
        kind: 'start',
        callId: call.id,
        effect,
        fingerprint: fingerprint(call),
        ...(restarts ? { restartsProcess: true as const } : {}),
      });
      if (signal.aborted) return settle(call, { outcome: 'cancelled', text: CANCELLED_BEFORE_START }, effect);
    }
    const execution = await executeTool(
      { tool, input, effect, sessionId: journal.head.id, callId: call.id, signal },
      deps,
    );
    if (!restarts || execution.outcome !== 'ok') return settle(call, execution, effect);
    // The next process writes the result; this one only finds out that there is none.
    await waitFor(deps.clock, RESTART_WAIT_MS, signal);
    signal.throwIfAborted();
    const text = `The server was asked to restart and is still the same process after ${RESTART_WAIT_MS / 1000} s.`;
    return settle(call, { ...execution, outcome: 'error', text }, effect);
  }

  async function runAll(): Promise<void> {
    const toolbox = await findToolbox();
    const looked = calls.map((call) => ({ call, effect: effectOf(examine(call, toolbox)) }));
    const step = async (call: ToolCall, only: 'reads' | 'all'): Promise<boolean> => {
      signal.throwIfAborted();
      const waits = (await carryOut(call, only)) === 'waits';
      if (waits) holdBack(call);
      return waits;
    };
    if (looked.every(({ effect }) => effect === 'read')) {
      await settleAll(looked.map(({ call }) => step(call, 'reads')));
      return;
    }
    // With effects in the round the order of the calls is part of their meaning.
    let waiting = false;
    for (const { call, effect } of looked) {
      if (waiting && effect !== 'read') holdBack(call);
      else if (await step(call, waiting ? 'reads' : 'all')) waiting = true;
    }
  }

  function holdBack(call: ToolCall): void {
    answers.get(call.id)?.reject(new RunStopped('awaiting_approval'));
  }

  return {
    ask,
    run() {
      running ??= runAll().catch((error: unknown) => {
        for (const answer of answers.values()) answer.reject(error);
        throw error;
      });
      return running;
    },
    textOf(callId) {
      return (
        answers.get(callId)?.promise ??
        Promise.reject(new Error(`There is no open call ${callId} in this round`))
      );
    },
  };
}

/** Waits for all, then fails with the first failure: no call is left running behind it. */
async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  for (const settled of await Promise.allSettled(work))
    if (settled.status === 'rejected') throw settled.reason;
}

/** Calls that cannot run have no effect. */
function effectOf(examined: Examined): Effect {
  return examined.kind === 'judged' && examined.verdict.kind !== 'deny' ? examined.effect : 'read';
}

function describeDenial(name: string, note: string | undefined): string {
  const said = note === undefined || note === '' ? '' : ` The operator's note: ${note}`;
  return `The operator denied this call of ${name}; it was not run.${said} Do not make the same call again unless you are asked to.`;
}
