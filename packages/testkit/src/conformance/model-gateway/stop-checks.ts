import { RunStopped } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';
import { deferred } from '../../deferred.js';
import { calls, reply } from '../../scripted-model/step.js';
import type { Check } from '../check.js';
import { inOrder, runToEnd, runToRejection } from './gateway-bench.js';
import type { GatewayBench } from './gateway-bench.js';
import { recordingRounds } from './recording-rounds.js';
import { turns } from './turns.js';

const threeCalls = calls(
  { name: 'gated', arguments: { n: 1 } },
  { name: 'free', arguments: {} },
  { name: 'gated', arguments: { n: 2 } },
);

export const stopChecks: readonly Check<GatewayBench>[] = [
  {
    name: 'suspends on a gated call with its own RunStopped, once the free calls have settled',
    async run(bench) {
      inOrder(bench, threeCalls);
      const refusals: RunStopped[] = [];
      const bothGated = deferred();
      const rounds = recordingRounds({
        async handler(call) {
          if (call.name === 'gated') {
            const refusal = new RunStopped('awaiting_approval');
            if (refusals.push(refusal) === 2) bothGated.resolve();
            throw refusal;
          }
          await bothGated.promise;
          await turns();
          return 'ok';
        },
      });
      const error = await runToRejection(bench, rounds);
      expect(
        refusals.some((refusal) => refusal === error),
        'it rejects with a refusal of the engine',
      ).toBe(true);
      expect(rounds.openCalls()).toBe(0);
      expect(rounds.events.filter((event) => event.startsWith('settle')).length).toBe(3);
      expect(bench.model.requestCount).toBe(1);
    },
  },
  {
    name: 'suspends on a lone gated call, in the first round and in a later one',
    async run(bench) {
      inOrder(bench, calls({ name: 'gated', arguments: {} }));
      await expectGated(bench, 1);
      inOrder(bench, calls({ name: 'free', arguments: {} }), calls({ name: 'gated', arguments: {} }));
      await expectGated(bench, 3);
    },
  },
  {
    name: 'suspends in the last round that is allowed too',
    async run(bench) {
      inOrder(bench, calls({ name: 'gated', arguments: {} }));
      await expectGated(bench, 1, 1);
    },
  },
  {
    name: 'stops with the RunStopped of the first request without asking the model',
    async run(bench) {
      inOrder(bench);
      const stopped = new RunStopped('budget');
      const error = await runToRejection(
        bench,
        recordingRounds({ beforeRequest: () => Promise.reject(stopped) }),
      );
      expect(error).toBe(stopped);
      expect(bench.model.requestCount).toBe(0);
    },
  },
  {
    name: 'stops with the RunStopped of a later request',
    async run(bench) {
      inOrder(bench, calls({ name: 'look', arguments: {} }));
      const stopped = new RunStopped('budget');
      const rounds = recordingRounds({
        beforeRequest(nth) {
          if (nth === 2) throw stopped;
        },
      });
      expect(await runToRejection(bench, rounds)).toBe(stopped);
      expect(rounds.events.at(-2)).toBe('settle call-1');
      expect(bench.model.requestCount).toBe(1);
    },
  },
  {
    name: 'leaves the last word on the number of rounds to request',
    async run(bench) {
      inOrder(bench, ...Array.from({ length: 3 }, (_, n) => calls({ name: 'look', arguments: { n } })));
      const stopped = new RunStopped('max_turns');
      const rounds = recordingRounds({
        maxRounds: 3,
        beforeRequest(nth) {
          if (nth > 3) throw stopped;
        },
      });
      expect(await runToRejection(bench, rounds)).toBe(stopped);
      expect(rounds.events.filter((event) => event === 'request').length).toBe(4);
      expect(rounds.received.length).toBe(3);
    },
  },
  {
    name: 'stops with the RunStopped of record and runs none of the calls',
    async run(bench) {
      inOrder(bench, threeCalls);
      const stopped = new RunStopped('budget');
      const rounds = recordingRounds({ beforeRecord: () => Promise.reject(stopped) });
      expect(await runToRejection(bench, rounds)).toBe(stopped);
      expect(rounds.received).toEqual([]);
      expect(bench.model.requestCount).toBe(1);
    },
  },
  {
    name: 'is over when record gives no calls, though the model asked for some',
    async run(bench) {
      inOrder(bench, threeCalls);
      const rounds = recordingRounds({ beforeRecord: () => 'end' });
      await runToEnd(bench, rounds);
      expect(rounds.events).toEqual(['request', 'record']);
    },
  },
  {
    name: 'serves the next run after one that stopped',
    async run(bench) {
      inOrder(bench, calls({ name: 'gated', arguments: {} }), reply('done'));
      await expectGated(bench, 1);
      await runToEnd(bench, recordingRounds());
      expect(bench.model.requestCount).toBe(2);
    },
  },
];

async function expectGated(bench: GatewayBench, requestsSoFar: number, maxRounds = 50): Promise<void> {
  const refusal = new RunStopped('awaiting_approval');
  const rounds = recordingRounds({
    maxRounds,
    handler(call) {
      if (call.name === 'gated') throw refusal;
      return 'ok';
    },
  });
  expect(await runToRejection(bench, rounds)).toBe(refusal);
  expect(bench.model.requestCount).toBe(requestsSoFar);
}
