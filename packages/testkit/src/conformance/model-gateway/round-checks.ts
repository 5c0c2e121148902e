import { expect } from 'vitest';
import { deferred } from '../../deferred.js';
import { answers, calls, reply } from '../../scripted-model/step.js';
import type { Check } from '../check.js';
import { inOrder, runToEnd, withinDeadline } from './gateway-bench.js';
import type { GatewayBench } from './gateway-bench.js';
import { recordingRounds } from './recording-rounds.js';
import { turns } from './turns.js';

export const roundChecks: readonly Check<GatewayBench>[] = [
  {
    name: 'asks once and records the answer when the model calls no tool',
    async run(bench) {
      inOrder(bench, reply('done'));
      const rounds = recordingRounds();
      await runToEnd(bench, rounds);
      expect(rounds.events).toEqual(['request', 'record']);
      expect(rounds.replies[0]).toMatchObject({ content: 'done', finishReason: 'stop' });
    },
  },
  {
    name: 'asks, records, runs the calls and asks again, in that order',
    async run(bench) {
      inOrder(
        bench,
        calls({ name: 'look', arguments: {} }),
        calls({ name: 'look', arguments: { n: 2 } }),
        reply('done'),
      );
      const rounds = recordingRounds();
      await runToEnd(bench, rounds);
      expect(rounds.events).toEqual([
        'request',
        'record',
        'start call-1',
        'settle call-1',
        'request',
        'record',
        'start call-2',
        'settle call-2',
        'request',
        'record',
      ]);
    },
  },
  {
    name: 'starts no tool before the reply is recorded',
    async run(bench) {
      inOrder(bench, calls({ name: 'look', arguments: {} }), reply('done'));
      const rounds = recordingRounds({
        async beforeRecord() {
          await new Promise((resolve) => setImmediate(resolve));
          expect(rounds.received.length, 'calls that started').toBe(rounds.replies.length - 1);
        },
      });
      await runToEnd(bench, rounds);
      expect(rounds.received.length).toBe(1);
    },
  },
  {
    name: 'lets the calls of a round overlap',
    async run(bench) {
      inOrder(
        bench,
        calls({ name: 'a', arguments: {} }, { name: 'b', arguments: {} }, { name: 'a', arguments: {} }),
        reply('done'),
      );
      const allStarted = deferred();
      const rounds = recordingRounds({
        async handler() {
          if (rounds.received.length === 3) allStarted.resolve();
          await withinDeadline(allStarted.promise, bench.deadlineMs / 2, 'the start of all three calls');
          return 'ok';
        },
      });
      await runToEnd(bench, rounds);
      expect(rounds.events.slice(2, 5)).toEqual(['start call-1', 'start call-2', 'start call-3']);
    },
  },
  {
    name: 'waits for the slowest call of a round before the next request',
    async run(bench) {
      inOrder(bench, calls({ name: 'slow', arguments: {} }, { name: 'fast', arguments: {} }), reply('done'));
      const fastSettled = deferred();
      const rounds = recordingRounds({
        async handler(call) {
          if (call.name === 'fast') fastSettled.resolve();
          else await fastSettled.promise.then(turns);
          return call.name;
        },
      });
      await runToEnd(bench, rounds);
      expect(rounds.events.slice(-3)).toEqual(['settle call-1', 'request', 'record']);
    },
  },
  {
    name: 'drives forty rounds',
    async run(bench) {
      let asked = 0;
      bench.script(() => (++asked <= 39 ? calls({ name: 'look', arguments: { n: asked } }) : reply('done')));
      const rounds = recordingRounds();
      await runToEnd(bench, rounds);
      expect(bench.model.requestCount).toBe(40);
      expect(rounds.received.map((call) => call.arguments)).toEqual(
        Array.from({ length: 39 }, (_, n) => ({ n: n + 1 })),
      );
    },
  },
  {
    name: 'leaves it to record whether the run is over, whatever the finish reason',
    async run(bench) {
      const toolCalls = [{ name: 'look', arguments: {} }];
      const usage = { promptTokens: 5, completionTokens: 7 };
      inOrder(
        bench,
        ...['stop', 'length', 'content_filter', 'a new one'].map((finishReason) =>
          answers({ content: 'x', toolCalls, finishReason, usage }),
        ),
        answers({ content: 'x', toolCalls }),
        answers({ content: '', toolCalls: [], finishReason: 'tool_calls', usage }),
      );
      const rounds = recordingRounds();
      await runToEnd(bench, rounds);
      expect(rounds.received.length).toBe(5);
      expect(rounds.replies.map((item) => item.finishReason)).toEqual([
        'stop',
        'length',
        'content_filter',
        'a new one',
        undefined,
        'tool_calls',
      ]);
    },
  },
  {
    name: 'hands over content, calls and usage of every round as the model gave them',
    async run(bench) {
      const toolCalls = [
        { name: 'write', arguments: { path: 'a.js', list: [1, { b: null }], text: 'Ü 🚀' } },
      ];
      inOrder(
        bench,
        answers({
          content: 'first Ü 🚀',
          toolCalls,
          finishReason: 'tool_calls',
          usage: { promptTokens: 11, completionTokens: 3 },
        }),
        answers({ content: 'last', finishReason: 'stop', usage: { promptTokens: 29, completionTokens: 4 } }),
      );
      const rounds = recordingRounds();
      await runToEnd(bench, rounds);
      expect(rounds.replies).toMatchObject([
        { content: 'first Ü 🚀', toolCalls, usage: { promptTokens: 11, completionTokens: 3 } },
        { content: 'last', usage: { promptTokens: 29, completionTokens: 4 } },
      ]);
    },
  },
  {
    name: 'does not mix two runs at once',
    async run(bench) {
      // The model goes by what each transcript says, and waits until both runs are under way.
      const bothAsked = deferred();
      let asked = 0;
      bench.script(async (request) => {
        if (++asked === 2) bothAsked.resolve();
        await withinDeadline(bothAsked.promise, bench.deadlineMs / 2, 'the start of both runs');
        const who = request.messages[0]?.content ?? '';
        const done = request.messages.filter((message) => message.role === 'assistant').length;
        return done < 5 ? calls({ name: who, arguments: { done } }) : reply(`done ${who}`);
      });
      const names = ['one', 'two'];
      const runs = names.map((who) =>
        recordingRounds(
          { messages: [{ role: 'user', content: who }], handler: () => `result ${who}` },
          `${who}-`,
        ),
      );
      await Promise.all(runs.map((rounds) => runToEnd(bench, rounds)));
      for (const [index, who] of names.entries()) {
        const rounds = runs[index];
        expect(rounds?.received.map((call) => call.name)).toEqual([who, who, who, who, who]);
        expect(rounds?.received.map((call) => call.id)).toEqual([1, 2, 3, 4, 5].map((n) => `${who}-${n}`));
        expect(rounds?.replies.at(-1)?.content).toBe(`done ${who}`);
      }
    },
  },
];
