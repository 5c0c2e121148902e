import { getEventListeners } from 'node:events';
import { expect } from 'vitest';
import { deferred } from '../../deferred.js';
import { calls, hangs, reply } from '../../scripted-model/step.js';
import type { Check } from '../check.js';
import { inOrder, run, runToEnd, withinDeadline } from './gateway-bench.js';
import type { GatewayBench, RunOutcome } from './gateway-bench.js';
import { recordingRounds } from './recording-rounds.js';
import type { RecordingRounds } from './recording-rounds.js';
import { turns } from './turns.js';

const reasons: readonly (readonly [what: string, reason: unknown])[] = [
  ['an error', new Error('cancelled by the operator')],
  ['a text', 'cancelled'],
  ['a number', 0],
];
const lookTwice = calls({ name: 'look', arguments: { n: 1 } }, { name: 'look', arguments: { n: 2 } });

export const cancelChecks: readonly Check<GatewayBench>[] = [
  ...reasons.map(([what, reason]) => ({
    name: `rejects with the reason of the abort, here ${what}`,
    async run(bench: GatewayBench) {
      await expectCancelled(bench, hangs(), reason);
      await expectCancelled(bench, hangs({ ignoreAbort: true }), reason);
    },
  })),
  {
    name: 'brings the signal to the model',
    async run(bench) {
      const seen = deferred<AbortSignal>();
      const abortHeard = deferred();
      inOrder(bench, (_request, signal) => {
        signal.addEventListener('abort', () => abortHeard.resolve(), { once: true });
        seen.resolve(signal);
        return hangs();
      });
      const controller = new AbortController();
      const running = run(bench, recordingRounds({ signal: controller.signal }));
      expect((await withinDeadline(seen.promise, bench.deadlineMs, 'the model call')).aborted).toBe(false);
      controller.abort(new Error('cancelled'));
      await withinDeadline(abortHeard.promise, bench.deadlineMs, 'the abort of the model call');
      await running;
    },
  },
  {
    name: 'asks nothing and records nothing when it is cancelled before the run',
    async run(bench) {
      inOrder(bench);
      const reason = new Error('cancelled');
      const rounds = recordingRounds({ signal: AbortSignal.abort(reason) });
      expect(await run(bench, rounds)).toEqual({ ended: 'rejected', error: reason });
      expect(bench.model.requestCount).toBe(0);
      expect(rounds.replies).toEqual([]);
    },
  },
  {
    name: 'does not record a reply that comes after the cancel',
    async run(bench) {
      const late = deferred();
      inOrder(bench, async () => {
        await late.promise;
        return reply('too late');
      });
      const controller = new AbortController();
      const rounds = recordingRounds({ signal: controller.signal });
      const running = run(bench, rounds);
      await bench.model.requested(1, bench.deadlineMs);
      controller.abort('cancelled');
      expect(await running).toEqual({ ended: 'rejected', error: 'cancelled' });
      late.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      expect(rounds.replies).toEqual([]);
    },
  },
  {
    name: 'starts no tool when it is cancelled while the reply is being recorded',
    async run(bench) {
      inOrder(bench, lookTwice);
      const controller = new AbortController();
      const rounds = recordingRounds({
        signal: controller.signal,
        beforeRecord: () => controller.abort('cancelled'),
      });
      expect(await run(bench, rounds)).toEqual({ ended: 'rejected', error: 'cancelled' });
      expect(rounds.received).toEqual([]);
    },
  },
  {
    name: 'makes no further call when it is cancelled in the middle of a tool',
    async run(bench) {
      inOrder(bench, lookTwice);
      const controller = new AbortController();
      const { signal } = controller;
      const rounds: RecordingRounds = recordingRounds({
        signal,
        handler: () =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
            if (rounds.received.length === 2) controller.abort('cancelled');
          }),
      });
      expect(await run(bench, rounds)).toEqual({ ended: 'rejected', error: 'cancelled' });
      expect(rounds.openCalls()).toBe(0);
      expect(rounds.events.filter((event) => event === 'request').length).toBe(1);
      expect(bench.model.requestCount).toBe(1);
    },
  },
  {
    name: 'waits for a call that finishes its work though another stopped at once',
    async run(bench) {
      inOrder(bench, lookTwice);
      const controller = new AbortController();
      const rounds: RecordingRounds = recordingRounds({
        signal: controller.signal,
        async handler(call) {
          if (call.arguments.n === 1) {
            await new Promise((resolve) =>
              controller.signal.addEventListener('abort', resolve, { once: true }),
            );
            throw controller.signal.reason;
          }
          controller.abort('cancelled');
          await turns();
          return 'finished all the same';
        },
      });
      expect(await run(bench, rounds)).toEqual({ ended: 'rejected', error: 'cancelled' });
      expect(rounds.events.slice(-1)).toEqual(['settle call-2']);
      expect(bench.model.requestCount).toBe(1);
    },
  },
  {
    name: 'prefers the reason of the abort to what the engine throws because of it',
    async run(bench) {
      inOrder(bench, calls({ name: 'look', arguments: {} }));
      const controller = new AbortController();
      const rounds = recordingRounds({
        signal: controller.signal,
        handler() {
          controller.abort('cancelled');
          throw new Error('The tool broke off');
        },
      });
      expect(await run(bench, rounds)).toEqual({ ended: 'rejected', error: 'cancelled' });
    },
  },
  {
    name: 'leaves no listener on the signal',
    async run(bench) {
      const { signal } = new AbortController();
      for (let time = 0; time < 3; time++) {
        inOrder(bench, lookTwice, calls({ name: 'look', arguments: {} }), reply('done'));
        await runToEnd(bench, recordingRounds({ signal }));
      }
      expect(getEventListeners(signal, 'abort').length).toBe(0);
    },
  },
];

async function expectCancelled(
  bench: GatewayBench,
  step: ReturnType<typeof hangs>,
  reason: unknown,
): Promise<void> {
  const before = bench.model.requestCount;
  inOrder(bench, calls({ name: 'look', arguments: {} }), step);
  const controller = new AbortController();
  const rounds = recordingRounds({ signal: controller.signal });
  const running: Promise<RunOutcome> = run(bench, rounds);
  await bench.model.requested(before + 2, bench.deadlineMs);
  controller.abort(reason);
  const outcome = await running;
  expect(
    outcome.ended === 'rejected' && Object.is(outcome.error, reason),
    `it rejects with ${String(reason)}`,
  ).toBe(true);
  expect(rounds.replies.length).toBe(1);
  expect(bench.model.requestCount).toBe(before + 2);
}
