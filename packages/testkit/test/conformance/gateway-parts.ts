import type {
  ModelGateway,
  ModelReply,
  ModelRequest,
  Rounds,
  ToolCall,
} from '@harperfast/agent-core/contracts';
import type { ScriptedModel } from '../../src/index.js';

/** A stepwise loop in parts, so that each fault replaces one. */
export interface Parts {
  start(rounds: Rounds): void;
  ask(model: ScriptedModel, request: ModelRequest, rounds: Rounds, round: number): Promise<ModelReply>;
  isOver(reply: ModelReply, calls: readonly ToolCall[], round: number, rounds: Rounds): boolean;
  record(rounds: Rounds, reply: ModelReply): Promise<readonly ToolCall[]>;
  runAll(rounds: Rounds, calls: readonly ToolCall[]): Promise<void>;
  end(error: unknown, rounds: Rounds): void;
}

/** The parts of a loop that keeps the contract. */
export const sound: Parts = {
  start: (rounds) => rounds.signal.throwIfAborted(),
  ask: (model, request, { signal }) => unlessAborted(model.generate(request, signal), signal),
  isOver: (_reply, calls) => calls.length === 0,
  record: (rounds, reply) => rounds.record(reply),
  async runAll(rounds, calls) {
    const settled = await Promise.allSettled(calls.map((call) => rounds.callTool(call)));
    rounds.signal.throwIfAborted();
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
  },
  end(error) {
    throw error;
  },
};

/** Puts the parts together. */
export function gatewayOf(parts: Parts, model: ScriptedModel): ModelGateway {
  return {
    name: 'in parts',
    async run(rounds) {
      try {
        for (let round = 1; ; round++) {
          parts.start(rounds);
          const request = await rounds.request();
          const reply = await parts.ask(model, request, rounds, round);
          const calls = await parts.record(rounds, reply);
          if (parts.isOver(reply, calls, round, rounds)) return;
          await parts.runAll(rounds, calls);
        }
      } catch (error) {
        parts.end(error, rounds);
      }
    },
  };
}

/** As the engine's own helper: `work`, or the reason of the abort as soon as there is one. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    leave = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
  work.catch(() => undefined);
  return Promise.race([work, aborted]).finally(leave);
}

/** One way to be wrong, the check that has to notice, and the parts that make a sound loop so. */
export type GatewayFault = readonly [fault: string, noticedBy: string, parts: () => Partial<Parts>];
