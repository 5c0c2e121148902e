import type { ModelMessage, ToolDefinition } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';
import { calls, reply } from '../../scripted-model/step.js';
import type { Check } from '../check.js';
import { inOrder, runToEnd } from './gateway-bench.js';
import type { GatewayBench } from './gateway-bench.js';
import { recordingRounds } from './recording-rounds.js';

const tools: readonly ToolDefinition[] = [
  {
    name: 'write_file',
    description: 'Writes a file. Ü 🚀',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        mode: { enum: ['a', 'b'] },
        list: { type: 'array', items: {} },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
  { name: 'look', description: '', parameters: { type: 'object', properties: {} } },
];

const messages: readonly ModelMessage[] = [
  { role: 'user', content: 'First 🚀\n\nline' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'old-1', name: 'look', arguments: { deep: { list: [1, null, ''] } } }],
  },
  { role: 'tool', toolCallId: 'old-1', content: '' },
  { role: 'assistant', content: 'So far' },
  { role: 'user', content: 'Second' },
];

export const requestChecks: readonly Check<GatewayBench>[] = [
  {
    name: 'brings messages, tools, system prompt and output limit to the model unchanged, in every round',
    async run(bench) {
      inOrder(
        bench,
        calls({ name: 'look', arguments: { n: 1 } }, { name: 'nope', arguments: {} }),
        reply('done'),
      );
      const rounds = recordingRounds({
        messages,
        request: { tools, system: 'Be exact. Ü', maxTokens: 777, conversationId: 'session-9' },
        handler: (call) => `result of ${call.id}`,
      });
      await runToEnd(bench, rounds);
      expect(bench.model.requests.length).toBe(2);
      for (const [index, sent] of rounds.requests.entries()) {
        const got = bench.model.requests[index];
        expect(got?.messages).toEqual(sent.messages);
        expect(got?.tools).toEqual(tools);
        expect(got?.system).toBe('Be exact. Ü');
        expect(got?.maxTokens).toBe(777);
        expect(got?.conversationId).toBe('session-9');
      }
      expect(rounds.requests.map((sent) => sent.messages.length)).toEqual([5, 8]);
    },
  },
  {
    name: 'asks the model the request names, and the default one where it names none',
    async run(bench) {
      inOrder(bench, reply('done'), reply('done'));
      await runToEnd(bench, recordingRounds({ request: { model: 'small' } }));
      await runToEnd(bench, recordingRounds());
      const [named, unnamed] = bench.model.requests;
      expect(named?.model, 'the model the request was for').toBe('small');
      expect(unnamed?.model ?? 'default').toBe('default');
    },
  },
  {
    name: 'takes each request as it is now: another output limit, other tools',
    async run(bench) {
      inOrder(
        bench,
        calls({ name: 'look', arguments: {} }),
        calls({ name: 'look', arguments: {} }),
        reply('done'),
      );
      let maxTokens = 1000;
      let offered: readonly ToolDefinition[] = tools;
      const request = {
        get maxTokens() {
          return maxTokens;
        },
        get tools() {
          return offered;
        },
      };
      const rounds = recordingRounds({
        request,
        beforeRequest(nth) {
          maxTokens = 1000 - nth;
          offered = nth === 2 ? [] : tools;
        },
      });
      await runToEnd(bench, rounds);
      expect(bench.model.requests.map((got) => got.maxTokens)).toEqual([999, 998, 997]);
      expect(bench.model.requests.map((got) => got.tools.length)).toEqual([2, 0, 2]);
    },
  },
];
