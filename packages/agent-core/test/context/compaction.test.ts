import { answers, fails, reply, transcriptFault } from '@harperfast/agent-testkit';
import type { ScriptedRequest, Step } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

const isSummary = (request: ScriptedRequest): boolean => request.system.startsWith('You write the summary');
const sizeOf = (request: ScriptedRequest): number => JSON.stringify(request.messages).length;
let next = 0;
// Without a usage the engine goes by its own estimate, so that sizes count here.
const lookAgain = (): Step =>
  answers({
    toolCalls: [{ name: 'look', arguments: { value: String(next++) } }],
    finishReason: 'tool_calls',
  });

function longRun(rounds: number, resultSize: number, settings: object = {}) {
  const look = recordingTool('look', 'read', (value) => `${value} ${'lorem ipsum '.repeat(resultSize / 12)}`);
  let left = rounds;
  return createFixture(
    (request) => {
      if (isSummary(request)) return reply('They looked at many things.');
      return left-- > 0 ? lookAgain() : reply('done');
    },
    { tools: [look.tool], settings: { maxTurns: 1000, maxTokens: 500, maxCostUsd: 100, ...settings } },
  );
}

describe('the context', () => {
  it('keeps requests bounded over many rounds with large results', async () => {
    const { agent, model, quiet } = longRun(60, 20_000);
    const { sessionId } = await agent.prompt({ message: 'Look at everything', by: 'admin' });
    const view = await quiet(sessionId);
    expect(view.header.status).toBe('completed');
    // 60 results of 20 KB are 1.2 MB; a hundred thousand tokens are some 300 KB.
    for (const request of model.requests) {
      expect(sizeOf(request)).toBeLessThan(400_000);
      expect(transcriptFault(request.messages)).toBeUndefined();
    }
    const last = model.requests.at(-1)?.messages.filter((message) => message.role === 'tool') ?? [];
    expect(last[0]?.content).toContain('[shortened: ');
    expect(last.at(-1)?.content).not.toContain('[shortened: ');
  });

  it('has older messages summarised over the threshold, journals the summary, and loses nothing else', async () => {
    const { agent, model, quiet } = longRun(40, 1_800, { contextWindow: 20_000 });
    const { sessionId } = await agent.prompt({ message: 'Look at everything', by: 'admin' });
    const view = await quiet(sessionId);
    const kinds = kindsOf(view);
    expect(view.header.status).toBe('completed');
    expect(kinds.filter((kind) => kind === 'summary').length).toBeGreaterThan(0);
    expect(kinds.filter((kind) => kind === 'result:ok')).toHaveLength(40);
    const summaries = model.requests.filter(isSummary);
    expect(summaries[0]?.tools).toEqual([]);
    expect(summaries[0]?.messages[0]?.content).toContain('Look at everything');
    const after = model.requests[model.requests.indexOf(summaries[0] ?? fail()) + 1];
    expect(after?.messages[0]?.content).toContain('They looked at many things.');
    for (const request of model.requests) expect(transcriptFault(request.messages)).toBeUndefined();
    const cost = view.entries.reduce((sum, entry) => sum + ('costMicros' in entry ? entry.costMicros : 0), 0);
    expect(view.header.totals.costMicros).toBe(cost);
  });

  it('summarises when the provider says that the window is exceeded, once', async () => {
    const exceeded = Object.assign(new Error('prompt is too long'), { contextWindowExceeded: true });
    const look = recordingTool('look', 'read');
    const { agent, model, quiet } = createFixture(
      [lookAgain(), lookAgain(), lookAgain(), fails(exceeded), reply('In short: looked.'), reply('done')],
      { tools: [look.tool], settings: { contextWindow: 1_200 } },
    );
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(view.header.status).toBe('completed');
    expect(kindsOf(view)).toContain('summary');
    model.assertDone();

    const stubborn = createFixture((request) => (isSummary(request) ? reply('short') : fails(exceeded)));
    const other = await stubborn.agent.prompt({ message: 'Go', by: 'admin' });
    expect((await stubborn.quiet(other.sessionId)).header).toMatchObject({
      stopReason: 'model_error',
      lastError: { code: 'context_window_exceeded' },
    });
  });

  it('goes on without a summary that the model does not manage to write', async () => {
    const { agent, quiet } = (() => {
      const look = recordingTool('look', 'read', () => 'x'.repeat(1_500));
      let left = 30;
      return createFixture(
        (request) => {
          if (isSummary(request)) return answers({ content: null });
          return left-- > 0 ? lookAgain() : reply('done');
        },
        { tools: [look.tool], settings: { contextWindow: 15_000, maxTokens: 500 } },
      );
    })();
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(view.header.status).toBe('completed');
    expect(view.entries.find((entry) => entry.kind === 'summary')).toMatchObject({
      text: expect.stringContaining('No summary could be made'),
    });
  });
});

function fail(): never {
  throw new Error('There was no summary request');
}
