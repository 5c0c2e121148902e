import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import type { Tool, ToolOutput } from '../../src/index.js';
import { ToolDeniedError } from '../../src/index.js';
import { createFixture, recordingTool } from '../support/agent-fixture.js';

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

/** A tool that ends in this way. */
function ending(execute: () => unknown): Tool {
  // What a careless pack may do is beyond the types.
  return { ...recordingTool('odd', 'read').tool, execute: execute as () => Promise<ToolOutput> };
}

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

describe('a tool that ends oddly', () => {
  it.each<[string, () => unknown, string, string]>([
    ['throws an error', throwing(new Error('broken')), 'error', 'broken'],
    [
      'throws an error without a message',
      throwing(new TypeError('')),
      'error',
      'The tool failed (TypeError).',
    ],
    ['throws a text', throwing('boom'), 'error', 'The tool failed: boom'],
    ['throws nothing', throwing(undefined), 'error', 'The tool failed without saying why.'],
    ['throws an object', throwing({ code: 7 }), 'error', 'The tool failed: { code: 7 }'],
    ['throws a cycle', throwing(cycle), 'error', 'The tool failed: <ref *1> { self: [Circular *1] }'],
    [
      'throws without a prototype',
      throwing(Object.create(null)),
      'error',
      'The tool failed: [Object: null prototype] {}',
    ],
    ['throws a symbol', throwing(Symbol('s')), 'error', 'The tool failed: Symbol(s)'],
    ['rejects', () => Promise.reject(new Error('late')), 'error', 'late'],
    ['refuses', throwing(new ToolDeniedError('not that one')), 'denied', 'not that one'],
    ['returns nothing', () => undefined, 'error', 'odd returned no text.'],
    ['returns null', async () => null, 'error', 'odd returned no text.'],
    ['returns no text', async () => ({ text: 7 }), 'error', 'odd returned no text.'],
    ['returns at once', () => ({ text: 'ok' }), 'ok', 'ok'],
  ])('%s becomes a result, and the run goes on', async (_what, execute, outcome, text) => {
    const { agent, model, quiet } = createFixture([calls({ name: 'odd', arguments: {} }), reply('fine')], {
      tools: [ending(execute)],
    });
    const { sessionId } = await agent.prompt({ message: 'Go', by: 'admin' });
    const view = await quiet(sessionId);
    expect(view.header.status).toBe('completed');
    expect(view.entries.find((entry) => entry.kind === 'result')).toMatchObject({ outcome, text });
    model.assertDone();
  });
});
