import { unlessAborted } from '@harperfast/agent-core';
import { AgentError } from '@harperfast/agent-core/contracts';
import type { Rounds, ToolCall } from '@harperfast/agent-core/contracts';
import type { HarperModels } from '../host.js';
import { fieldsOf } from '../fields-of.js';
import { generateOnce } from './generate-once.js';
import { relay } from './relay.js';

/** The one tool the host's loop knows of; which call it stands for travels as its arguments. */
const CALL = 'call';

/**
 * One run under the host's own loop, which must come back through `this` for every round (`relaysRounds`). The loop
 * is given neither the transcript nor the tools' texts: the journal is the only copy. Where the loop ends because
 * it counted enough rounds it is entered again: how many there may be is the engine's to say, and may change.
 */
export async function orchestrate(models: HarperModels, rounds: Rounds): Promise<void> {
  while (await untilRoundCap(models, rounds));
}

/** Resolves with true when the loop stopped at its own cap of rounds, having made some. */
async function untilRoundCap(models: HarperModels, rounds: Rounds): Promise<boolean> {
  const { signal } = rounds;
  // What ended the run on our side. Boxed: the reason of an abort may be any value, undefined too.
  let halt: { readonly error: unknown } | undefined;
  const open = new Map<number, ToolCall>();
  let asked = false;
  let over = false;

  // Resolves whatever happens. A rejection would become a tool result of the host's making, or leave the other
  // calls of the round running on their own; what was thrown is remembered and ends the run at the loop's next
  // turn, which is when every call of the round has settled.
  const runTool = async (stub: unknown): Promise<null> => {
    try {
      const { index } = fieldsOf(stub, ['index']);
      const call = typeof index === 'number' ? open.get(index) : undefined;
      if (typeof index !== 'number' || call === undefined)
        throw hostFault('ran a tool call twice, or one it was not given');
      open.delete(index);
      await rounds.callTool(call);
    } catch (error) {
      halt ??= { error };
    }
    return null;
  };

  const nextRound = async (): Promise<unknown> => {
    try {
      asked = true;
      signal.throwIfAborted();
      if (halt !== undefined) throw halt.error;
      if (open.size > 0) throw hostFault(`left ${open.size} tool calls of a round undone`);
      const request = await rounds.request();
      const reply = await unlessAborted(generateOnce(models, request, signal), signal);
      const calls = await rounds.record(reply);
      calls.forEach((call, index) => open.set(index, call));
      over = calls.length === 0;
      return over
        ? { content: '', finishReason: 'stop' }
        : { content: '', finishReason: 'tool_calls', toolCalls: calls.map(toStub) };
    } catch (error) {
      halt ??= { error };
      throw error;
    }
  };

  try {
    await models.generate.call(relay(models, nextRound), 'run', {
      signal,
      toolMode: 'auto',
      toolHandlers: { [CALL]: runTool },
      toolParallelism: 'parallel',
      maxToolIterations: rounds.maxRounds + 1,
    });
  } catch (error) {
    if (over) return false;
    // A backend may throw an error that looks like the loop's, so what our side knows comes first.
    signal.throwIfAborted();
    if (halt !== undefined) throw halt.error;
    if (isRoundCap(error) && asked) return true;
    throw error;
  }
  if (over) return false;
  signal.throwIfAborted();
  if (halt !== undefined) throw halt.error;
  throw hostFault('ended before the run was over');
}

function toStub(call: ToolCall, index: number): object {
  return { id: call.id, name: CALL, arguments: { index } };
}

function hostFault(what: string): AgentError {
  return new AgentError(
    'host_loop',
    `The host's tool loop ${what}; this version of the host cannot drive the agent`,
  );
}

function isRoundCap(error: unknown): boolean {
  const { name, kind } = fieldsOf(error, ['name', 'kind']);
  return name === 'BudgetExceededError' && kind === 'iterations';
}
