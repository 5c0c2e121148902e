import { RunStopped } from '../contracts/index.js';
import type { Effect, EntryDraft, Outcome, ToolCall } from '../contracts/index.js';
import { EFFECTS } from '../contracts/index.js';
import { fingerprintCall } from '../approval/fingerprint.js';
import type { OpenCall, Repetition } from '../session/state.js';
import type { RunDeps, RunTarget } from './deps.js';
import type { Examined } from './examine-call.js';
import { examineCall } from './examine-call.js';
import { executeTool } from './execute-tool.js';
import type { Toolbox } from './toolbox.js';

/** Carries out the open calls of one round: refuses, asks, runs, and journals every step before the next. */
export interface RoundExecutor {
  /** Journals an ask for every call the gate holds, all together. Durable when it resolves. */
  ask(): Promise<void>;
  /** Runs what may run, once, however often it is called. Settles when nothing of it is running any more. */
  run(): Promise<void>;
  /** The text of one call's result; rejects with `RunStopped` when the call has to wait for a decision. */
  textOf(callId: string): Promise<string>;
}

/** What a call reads as that never ran because its run ended first. */
export const CANCELLED_BEFORE_START = 'The run ended before this call started; it was not run.';

interface Settled {
  readonly promise: Promise<string>;
  resolve(text: string): void;
  reject(error: Error): void;
}

export function createRoundExecutor(
  target: RunTarget,
  deps: RunDeps,
  findToolbox: () => Promise<Toolbox>,
): RoundExecutor {
  const { journal, signal } = target;
  const calls = journal.head.openCalls.filter(({ result }) => result === undefined).map(({ call }) => call);
  const answers = new Map<string, Settled>(calls.map((call) => [call.id, createSettled()]));
  let running: Promise<void> | undefined;

  const openCall = (id: string): OpenCall | undefined => journal.head.openCalls.find(({ call }) => call.id === id);

  async function journalResult(
    call: ToolCall,
    result: { readonly outcome: Outcome; readonly text: string } & Partial<Extract<EntryDraft, { kind: 'result' }>>,
    effect: Effect | undefined,
  ): Promise<void> {
    const text = result.text;
    const written = journal.append({
      kind: 'result',
      callId: call.id,
      truncated: false,
      bytes: Buffer.byteLength(text),
      durationMs: 0,
      ...result,
    });
    // What a read found can be found again; what an effect did must not be forgotten.
    if (effect !== undefined && effect !== 'read') await written;
    answers.get(call.id)?.resolve(text);
  }

  function examine(call: ToolCall, toolbox: Toolbox): Examined {
    return examineCall(call, toolbox, deps.settings());
  }

  async function ask(): Promise<void> {
    const toolbox = await findToolbox();
    const asks = calls.flatMap((call) => {
      const open = openCall(call.id);
      if (open === undefined || open.ask !== undefined) return [];
      const examined = examine(call, toolbox);
      return examined.kind === 'judged' && examined.verdict.kind === 'ask' ? [askDraft(call, examined.effect)] : [];
    });
    if (asks.length > 0) await journal.append(...asks);
  }

  function askDraft(call: ToolCall, effect: Effect): EntryDraft {
    return {
      kind: 'ask',
      approvalId: deps.newId('apr'),
      callId: call.id,
      tool: call.name,
      arguments: call.arguments,
      effect,
      fingerprint: fingerprintCall(call, deps.fingerprintKey),
    };
  }

  /** Looks at the call once more, with the tools and settings of this moment, and carries it out or lets it wait. */
  async function carryOut(call: ToolCall): Promise<'done' | 'waits'> {
    const open = openCall(call.id);
    if (open === undefined || open.result !== undefined) return 'done';
    if (open.decision?.approved === false) {
      await journalResult(call, { outcome: 'denied', text: textOfDenial(call.name, open.decision.note) }, undefined);
      return 'done';
    }
    const examined = examine(call, await findToolbox());
    signal.throwIfAborted();
    if (examined.kind === 'invalid') {
      await journalResult(call, { outcome: 'invalid', text: examined.text }, undefined);
      return 'done';
    }
    const { verdict, effect } = examined;
    if (verdict.kind === 'deny') {
      await journalResult(call, { outcome: 'denied', text: verdict.reason }, undefined);
      return 'done';
    }
    const approval = open.decision === undefined ? undefined : open.ask;
    if (approval === undefined && (verdict.kind === 'ask' || open.ask !== undefined)) {
      if (open.ask === undefined) await journal.append(askDraft(call, effect));
      return 'waits';
    }
    if (approval !== undefined && !stillCovers(approval, call, effect)) {
      await journalResult(
        call,
        { outcome: 'denied', text: `${call.name} is no longer what was approved. Call it again to ask anew.` },
        undefined,
      );
      return 'done';
    }
    if (effect !== 'read') {
      await journal.append({
        kind: 'start',
        callId: call.id,
        effect,
        fingerprint: fingerprintCall(call, deps.fingerprintKey),
      });
      if (signal.aborted) {
        await journalResult(call, { outcome: 'cancelled', text: CANCELLED_BEFORE_START }, effect);
        return 'done';
      }
    }
    const result = await executeTool(
      {
        tool: examined.tool,
        input: examined.input,
        effect,
        context: { sessionId: journal.head.id, callId: call.id },
        signal,
      },
      deps,
    );
    await journalResult(call, { ...result, text: result.text + repetitionWarning(journal.head.repetition) }, effect);
    return 'done';
  }

  function stillCovers(approval: NonNullable<OpenCall['ask']>, call: ToolCall, effect: Effect): boolean {
    return (
      approval.fingerprint === fingerprintCall(call, deps.fingerprintKey) &&
      EFFECTS.indexOf(effect) <= EFFECTS.indexOf(approval.effect)
    );
  }

  async function runAll(): Promise<void> {
    const toolbox = await findToolbox();
    const looked = calls.map((call) => ({ call, effect: effectOf(examine(call, toolbox)) }));
    const step = async (call: ToolCall): Promise<'done' | 'waits'> => {
      signal.throwIfAborted();
      const outcome = await carryOut(call);
      if (outcome === 'waits') holdBack(call);
      return outcome;
    };
    if (looked.every(({ effect }) => effect === 'read')) {
      await settleAll(looked.map(({ call }) => step(call)));
      return;
    }
    // With effects in the round the order of the calls is part of their meaning.
    let waiting = false;
    for (const { call, effect } of looked) {
      if (waiting && effect !== 'read') holdBack(call);
      else if ((await step(call)) === 'waits') waiting = true;
    }
  }

  function holdBack(call: ToolCall): void {
    answers.get(call.id)?.reject(new RunStopped('awaiting_approval'));
  }

  return {
    ask,
    run() {
      running ??= runAll().catch((error: unknown) => {
        const reason = error instanceof Error ? error : new Error(String(error));
        for (const answer of answers.values()) answer.reject(reason);
        throw reason;
      });
      return running;
    },
    textOf(callId) {
      const answer = answers.get(callId);
      return answer === undefined
        ? Promise.reject(new Error(`There is no open call ${callId} in this round`))
        : answer.promise;
    },
  };
}

/** How many rounds in a row may make the same call; the last of them is warned. */
export const REPEATS_ALLOWED = 3;

function repetitionWarning({ count }: Repetition): string {
  if (count < REPEATS_ALLOWED) return '';
  return `\n[agent] This is the same call with the same arguments for the ${count}rd time in a row. Once more ends the run: do something else.`;
}

/** Waits for all, then fails with the first failure: no call is left running behind it. */
async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  for (const settled of await Promise.allSettled(work)) if (settled.status === 'rejected') throw settled.reason;
}

/** Calls that cannot run have no effect. */
function effectOf(examined: Examined): Effect {
  return examined.kind === 'judged' && examined.verdict.kind !== 'deny' ? examined.effect : 'read';
}

function textOfDenial(name: string, note: string | undefined): string {
  const said = note === undefined || note === '' ? '' : ` The operator's note: ${note}`;
  return `The operator denied this call of ${name}; it was not run.${said} Do not make the same call again unless you are asked to.`;
}

function createSettled(): Settled {
  let resolve!: (text: string) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<string>((onText, onError) => {
    resolve = onText;
    reject = onError;
  });
  // Not every call is asked about: a resumed round has no gateway waiting for it.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
