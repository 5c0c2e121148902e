import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryStore, defineTool } from '../../src/index.js';
import type { Tool } from '../../src/index.js';
import { createFixture, kindsOf, recordingTool } from '../support/agent-fixture.js';

/** A tool whose output offers what it is asked for. */
const search = (offers: readonly string[]): Tool =>
  defineTool({
    name: 'search_tools',
    description: 'Finds tools.',
    input: z.strictObject({}),
    effect: 'read',
    execute: async () => ({ text: 'found', offers }),
  });

function deferred(name: string) {
  const { tool, seen } = recordingTool(name, 'read');
  return { tool: { ...tool, deferred: true as const }, seen };
}

const toolNames = (request: { readonly tools: readonly { readonly name: string }[] } | undefined) =>
  request?.tools.map(({ name }) => name);

describe('deferred tools', () => {
  it('come with the requests of a session once a tool has offered them', async () => {
    const later = deferred('later');
    const { agent, model, quiet } = createFixture(
      [
        calls({ name: 'search_tools', arguments: {} }),
        calls({ name: 'later', arguments: { value: 'x' } }),
        reply('done'),
      ],
      { tools: [search(['later', 'not there', 'gone']), later.tool] },
    );
    const { sessionId } = await agent.prompt({ message: 'Find it', by: 'admin' });
    const view = await quiet(sessionId);
    expect(kindsOf(view)).toEqual(['prompt', 'round', 'result:ok', 'round', 'result:ok', 'round', 'end']);
    expect(model.requests.map(toolNames)).toEqual([
      ['search_tools'],
      ['search_tools', 'later'],
      ['search_tools', 'later'],
    ]);
    expect(later.seen).toEqual(['x']);
    expect(view.entries.find((entry) => entry.kind === 'result')).toMatchObject({
      offers: ['later', 'gone'],
    });
  });

  it('are refused when called without having been offered, and nothing runs', async () => {
    const later = deferred('later');
    const { agent, model, quiet } = createFixture(
      [calls({ name: 'later', arguments: { value: 'x' } }), reply('done')],
      { tools: [search([]), later.tool] },
    );
    const { sessionId } = await agent.prompt({ message: 'Call it', by: 'admin' });
    expect(kindsOf(await quiet(sessionId))).toEqual(['prompt', 'round', 'result:invalid', 'round', 'end']);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain(
      'later is not among the tools you were given yet',
    );
    expect(later.seen).toEqual([]);
  });

  it('stay with their session over a restart, and do not come to any other', async () => {
    const store = createMemoryStore();
    const tools = [search(['later']), deferred('later').tool];
    const first = createFixture([calls({ name: 'search_tools', arguments: {} }), reply('found')], {
      store,
      tools,
    });
    const { sessionId } = await first.agent.prompt({ message: 'Find it', by: 'admin' });
    await first.quiet(sessionId);
    await first.agent.close();

    const next = createFixture([reply('again'), reply('other')], {
      store,
      tools,
      newId: (kind) => `${kind}_new`,
    });
    await next.agent.recover();
    await next.agent.prompt({ message: 'Go on', sessionId, by: 'admin' });
    await next.quiet(sessionId);
    const other = await next.agent.prompt({ message: 'Another', by: 'admin' });
    await next.quiet(other.sessionId);
    expect(next.model.requests.map(toolNames)).toEqual([['search_tools', 'later'], ['search_tools']]);
  });
});
