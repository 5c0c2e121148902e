import { setMaxListeners } from 'node:events';
import type { ModelRequest, Rounds } from '@harperfast/agent-core/contracts';
import { sound, unlessAborted } from './gateway-parts.js';
import type { GatewayFault } from './gateway-parts.js';

/** Gateways that ask, record, end or cancel wrongly. */
export const gatewayRoundFaults: readonly GatewayFault[] = [
  [
    'gives up after ten rounds',
    'drives forty rounds',
    () => ({
      isOver: (_reply, calls, round) => calls.length === 0 || round === 10,
    }),
  ],
  [
    'counts the rounds itself',
    'leaves the last word on the number of rounds to request',
    () => ({
      isOver: (_reply, calls, round, rounds) => calls.length === 0 || round === rounds.maxRounds,
    }),
  ],
  [
    'goes by the finish reason',
    'leaves it to record whether the run is over, whatever the finish reason',
    () => ({
      isOver: (reply, calls) => calls.length === 0 || reply.finishReason !== 'tool_calls',
    }),
  ],
  [
    'runs what the reply asked for though record gave nothing',
    'is over when record gives no calls, though the model asked for some',
    () => ({
      isOver: (reply) => (reply.toolCalls ?? []).length === 0,
    }),
  ],
  [
    'hides the usage',
    'hands over content, calls and usage of every round as the model gave them',
    () => ({
      record: (rounds, { usage: _usage, ...reply }) => rounds.record(reply),
    }),
  ],
  [
    'forgets the output limit',
    'brings messages, tools, system prompt and output limit to the model unchanged, in every round',
    () => ({
      ask: (model, request, { signal }) =>
        unlessAborted(model.generate({ ...request, maxTokens: 4096 }, signal), signal),
    }),
  ],
  [
    'keeps the tools of the first request',
    'takes each request as it is now: another output limit, other tools',
    () => {
      let first: ModelRequest | undefined;
      return {
        ask(model, request, { signal }, round) {
          if (round === 1) first = request;
          return unlessAborted(model.generate({ ...request, tools: first?.tools ?? [] }, signal), signal);
        },
      };
    },
  ],
  [
    'always asks the default model',
    'asks the model the request names, and the default one where it names none',
    () => ({
      ask: (model, { model: _name, ...request }, { signal }) =>
        unlessAborted(model.generate(request, signal), signal),
    }),
  ],
  [
    'waits for a model that does not hear the abort',
    'rejects with the reason of the abort, here an error',
    () => ({
      ask: (model, request, { signal }) => model.generate(request, signal),
    }),
  ],
  [
    'hands the model another signal',
    'brings the signal to the model',
    () => ({
      ask: (model, request, { signal }) =>
        unlessAborted(model.generate(request, new AbortController().signal), signal),
    }),
  ],
  [
    'rejects with an error of its own after a cancel',
    'rejects with the reason of the abort, here a text',
    () => ({
      end(error, { signal }) {
        throw signal.aborted ? new Error(`aborted: ${String(signal.reason)}`) : error;
      },
    }),
  ],
  [
    'does not look at the signal before it starts',
    'asks nothing and records nothing when it is cancelled before the run',
    () => ({
      start: () => undefined,
      ask: (model, request, { signal }) => model.generate(request, signal),
    }),
  ],
  [
    'records a reply that comes too late',
    'does not record a reply that comes after the cancel',
    () => ({
      ask: (model, request, rounds) => {
        setMaxListeners(0, rounds.signal);
        const reply = model.generate(request, rounds.signal);
        rounds.signal.addEventListener(
          'abort',
          () => void reply.then((late) => rounds.record(late)).catch(() => undefined),
          { once: true },
        );
        return unlessAborted(reply, rounds.signal);
      },
    }),
  ],
  [
    'reports what the tool threw though it was cancelled',
    'prefers the reason of the abort to what the engine throws because of it',
    () => ({
      async runAll(rounds, calls) {
        const settled = await Promise.allSettled(calls.map((call) => rounds.callTool(call)));
        for (const result of settled) if (result.status === 'rejected') throw result.reason;
      },
    }),
  ],
  [
    'does not wait for the calls after a cancel',
    'waits for a call that finishes its work though another stopped at once',
    () => ({
      runAll: (rounds, calls) => unlessAborted(sound.runAll(rounds, calls), rounds.signal),
    }),
  ],
  [
    'leaves its listeners behind',
    'leaves no listener on the signal',
    () => ({
      ask(model, request, { signal }) {
        setMaxListeners(0, signal);
        signal.addEventListener('abort', () => undefined);
        return unlessAborted(model.generate(request, signal), signal);
      },
    }),
  ],
  [
    'shares a round between runs',
    'does not mix two runs at once',
    () => {
      let last: Rounds | undefined;
      return {
        start(rounds) {
          last = rounds;
        },
        runAll: (rounds, calls) => sound.runAll(last ?? rounds, calls),
      };
    },
  ],
];
