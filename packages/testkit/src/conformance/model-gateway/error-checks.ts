import { expect } from 'vitest';
import { deferred } from '../../deferred.js';
import { calls, fails, reply } from '../../scripted-model/step.js';
import type { Check } from '../check.js';
import { inOrder, runToEnd, runToRejection } from './gateway-bench.js';
import type { GatewayBench } from './gateway-bench.js';
import { recordingRounds } from './recording-rounds.js';
import { turns } from './turns.js';

const modelErrors: readonly (readonly [what: string, error: Error])[] = [
  ['an ordinary error', new Error('The provider is down')],
  ['a provider error', Object.assign(new Error('HTTP 429'), { statusCode: 500, upstreamStatus: 429 })],
  [
    'word of a full context window',
    Object.assign(new Error('prompt is too long'), { contextWindowExceeded: true }),
  ],
  [
    'an error that looks like a cap of the host',
    Object.assign(new Error('too many iterations'), { name: 'BudgetExceededError', kind: 'iterations' }),
  ],
  ['an AbortError that nobody asked for', new DOMException('aborted', 'AbortError')],
];

export const errorChecks: readonly Check<GatewayBench>[] = [
  ...modelErrors.map(([what, error]) => ({
    name: `passes on ${what} of the model as the same object`,
    run: (bench: GatewayBench) => checkPassedOn(bench, error),
  })),
  {
    name: 'ends the run with what callTool throws, once the other calls have settled',
    async run(bench) {
      inOrder(bench, calls({ name: 'slow', arguments: {} }, { name: 'broken', arguments: {} }));
      const failure = new Error('The journal cannot be written');
      const thrown = deferred();
      const rounds = recordingRounds({
        async handler(call) {
          if (call.name === 'broken') {
            thrown.resolve();
            throw failure;
          }
          await thrown.promise;
          await turns();
          return 'ok';
        },
      });
      expect(await runToRejection(bench, rounds)).toBe(failure);
      expect(rounds.openCalls()).toBe(0);
      expect(bench.model.requestCount).toBe(1);
    },
  },
  {
    name: 'ends the run with what request throws',
    async run(bench) {
      inOrder(bench);
      const failure = new Error('The journal cannot be read');
      expect(
        await runToRejection(bench, recordingRounds({ beforeRequest: () => Promise.reject(failure) })),
      ).toBe(failure);
    },
  },
  {
    name: 'ends the run with what record throws and runs no call',
    async run(bench) {
      inOrder(bench, calls({ name: 'look', arguments: {} }));
      const failure = new Error('The journal cannot be written');
      const rounds = recordingRounds({ beforeRecord: () => Promise.reject(failure) });
      expect(await runToRejection(bench, rounds)).toBe(failure);
      expect(rounds.received).toEqual([]);
    },
  },
  {
    name: 'gives a tool’s failure that came as text to the model and goes on',
    async run(bench) {
      inOrder(bench, calls({ name: 'look', arguments: {} }), reply('done'));
      await runToEnd(bench, recordingRounds({ handler: () => 'Error: there is no such file' }));
      expect(bench.model.requests[1]?.messages.at(-1)).toMatchObject({
        role: 'tool',
        content: 'Error: there is no such file',
      });
    },
  },
];

async function checkPassedOn(bench: GatewayBench, error: Error): Promise<void> {
  inOrder(bench, fails(error));
  expect(await runToRejection(bench, recordingRounds())).toBe(error);
  inOrder(bench, calls({ name: 'look', arguments: {} }), fails(error));
  const rounds = recordingRounds();
  expect(await runToRejection(bench, rounds)).toBe(error);
  expect(rounds.events).toEqual(['request', 'record', 'start call-1', 'settle call-1', 'request']);
}
