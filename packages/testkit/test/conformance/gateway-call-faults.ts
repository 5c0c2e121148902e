import type { ToolCall } from '@harperfast/agent-core/contracts';
import { RunStopped } from '@harperfast/agent-core/contracts';
import { sound, unlessAborted } from './gateway-parts.js';
import type { GatewayFault } from './gateway-parts.js';

/** Gateways that run calls, or pass on how they ended, wrongly. */
export const gatewayCallFaults: readonly GatewayFault[] = [
  [
    'runs the calls of a round one by one',
    'lets the calls of a round overlap',
    () => ({
      async runAll(rounds, calls) {
        for (const call of calls) await rounds.callTool(call);
      },
    }),
  ],
  [
    'does not wait for the calls of a round',
    'waits for the slowest call of a round before the next request',
    () => ({
      async runAll(rounds, calls) {
        for (const call of calls) rounds.callTool(call).catch(() => undefined);
      },
    }),
  ],
  [
    'leaves the free calls of a suspended round behind',
    'suspends on a gated call with its own RunStopped, once the free calls have settled',
    () => ({
      async runAll(rounds, calls) {
        await Promise.all(calls.map((call) => rounds.callTool(call)));
      },
    }),
  ],
  [
    'takes a gated call for a result',
    'suspends on a lone gated call, in the first round and in a later one',
    () => ({
      async runAll(rounds, calls) {
        await Promise.all(calls.map((call) => rounds.callTool(call).catch(() => 'failed')));
      },
    }),
  ],
  [
    'resolves when the engine stops the run',
    'stops with the RunStopped of the first request without asking the model',
    () => ({
      end(error) {
        if (!(error instanceof RunStopped)) throw error;
      },
    }),
  ],
  [
    'makes a RunStopped of its own',
    'stops with the RunStopped of a later request',
    () => ({
      end(error) {
        throw error instanceof RunStopped ? new RunStopped(error.reason) : error;
      },
    }),
  ],
  [
    'wraps the errors of the model',
    'passes on a provider error of the model as the same object',
    () => ({
      ask: (model, request, { signal }) =>
        unlessAborted(model.generate(request, signal), signal).catch((cause: unknown) =>
          Promise.reject(new Error('The model failed', { cause })),
        ),
    }),
  ],
  [
    'takes an error of the model for its own cap',
    'passes on an error that looks like a cap of the host of the model as the same object',
    () => ({
      end(error) {
        throw error instanceof Error && error.name === 'BudgetExceededError'
          ? new RunStopped('max_turns')
          : error;
      },
    }),
  ],
  [
    'starts the calls before the reply is recorded',
    'starts no tool before the reply is recorded',
    () => {
      let calls: readonly ToolCall[] = [];
      return {
        async record(rounds, reply) {
          calls = (reply.toolCalls ?? []).map((call, index) => ({
            id: `call-${index + 1}`,
            name: call.name,
            arguments: {},
          }));
          await Promise.all(calls.map((call) => rounds.callTool(call)));
          return rounds.record(reply);
        },
        runAll: async () => undefined,
      };
    },
  ],
  [
    'runs the calls of the reply instead of those of record',
    'runs the calls that record gave, with their ids, names and arguments',
    () => ({
      async record(rounds, reply) {
        const calls = await rounds.record(reply);
        return calls.map((call, index) => ({ ...call, id: reply.toolCalls?.[index]?.id ?? `own-${index}` }));
      },
    }),
  ],
  [
    'looks tools up in a plain object',
    'lets a call of "__proto__" reach the engine',
    () => ({
      async runAll(rounds, calls) {
        const handlers: Record<string, (call: ToolCall) => Promise<string>> = {};
        for (const { name } of calls) handlers[name] = (call) => rounds.callTool(call);
        await sound.runAll(
          {
            ...rounds,
            callTool: async (call) =>
              Object.hasOwn(handlers, call.name) ? (handlers[call.name]?.(call) ?? '') : 'unknown tool',
          },
          calls,
        );
      },
    }),
  ],
  [
    'drops a call without a name',
    'lets a call of "" reach the engine',
    () => ({
      runAll: (rounds, calls) =>
        sound.runAll(
          rounds,
          calls.filter((call) => call.name !== ''),
        ),
    }),
  ],
];
