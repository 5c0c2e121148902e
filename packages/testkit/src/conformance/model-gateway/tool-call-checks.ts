import { expect } from 'vitest';
import { calls, reply } from '../../scripted-model/step.js';
import type { Check } from '../check.js';
import { inOrder, runToEnd } from './gateway-bench.js';
import type { GatewayBench } from './gateway-bench.js';
import { recordingRounds } from './recording-rounds.js';

const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '',
  'nobody_knows_it',
  'with space',
  'ünï',
];
const offered = [{ name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } }];

export const toolCallChecks: readonly Check<GatewayBench>[] = [
  ...oddNames.map((name) => ({
    name: `lets a call of ${JSON.stringify(name)} reach the engine`,
    run: (bench: GatewayBench) => checkReached(bench, name),
  })),
  {
    name: 'runs the calls that record gave, with their ids, names and arguments',
    async run(bench) {
      const same = { name: 'look', arguments: { path: 'a' } };
      const odd = {
        name: 'look',
        arguments: JSON.parse('{"__proto__":{"x":1},"name":"other","id":"other","arguments":[]}'),
      };
      inOrder(bench, calls(same, same, odd, { name: 'write', arguments: {} }), calls(same), reply('done'));
      const rounds = recordingRounds();
      await runToEnd(bench, rounds);
      expect(rounds.received.map((call) => JSON.stringify(call))).toEqual(
        rounds.given.map((call) => JSON.stringify(call)),
      );
      expect(rounds.received.map((call) => call.id)).toEqual([
        'call-1',
        'call-2',
        'call-3',
        'call-4',
        'call-5',
      ]);
    },
  },
  {
    name: 'does not care for the ids the model gave',
    async run(bench) {
      const twice = { id: 'same', name: 'look', arguments: {} };
      inOrder(
        bench,
        calls(twice, twice, { id: '', name: 'look', arguments: {} }),
        calls(twice),
        reply('done'),
      );
      const rounds = recordingRounds();
      await runToEnd(bench, rounds);
      expect(rounds.received.map((call) => call.id)).toEqual(['call-1', 'call-2', 'call-3', 'call-4']);
    },
  },
  {
    name: 'runs twenty calls of one round, each once',
    async run(bench) {
      const many = Array.from({ length: 20 }, (_, n) => ({ name: `tool_${n % 3}`, arguments: { n } }));
      inOrder(bench, calls(...many), reply('done'));
      const rounds = recordingRounds();
      await runToEnd(bench, rounds);
      expect(rounds.received.map((call) => call.arguments)).toEqual(many.map((call) => call.arguments));
    },
  },
];

async function checkReached(bench: GatewayBench, name: string): Promise<void> {
  inOrder(bench, calls({ name, arguments: { a: 1 } }, { name: 'look', arguments: {} }), reply('done'));
  const rounds = recordingRounds({ request: { tools: offered } });
  await runToEnd(bench, rounds);
  expect(rounds.received.map((call) => call.name)).toEqual([name, 'look']);
  expect(rounds.replies.at(-1)?.content).toBe('done');
}
