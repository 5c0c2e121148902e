import { calls, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/index.js';
import type { Effect, Tool, ToolProvider } from '../../src/index.js';
import { createFixture, kindsOf, providerOf, recordingTool } from '../support/agent-fixture.js';

/** A tool as a careless third party ships it. */
function oddTool(name: string, odd: object): Tool {
  const { tool } = recordingTool(name, 'read');
  return { ...tool, ...odd };
}

const listing = (name: string, list: unknown): ToolProvider => ({
  name,
  tools: () => list as readonly Tool[],
  close: async () => undefined,
});

describe('a provider of tools nobody can use', () => {
  it.each<readonly [string, unknown]>([
    ['a schema that JSON cannot say', [oddTool('odd', { input: z.strictObject({ at: z.date() }) })]],
    ['an input that is no object', [oddTool('odd', { input: z.string() })]],
    ['a choice at the root of its input', [oddTool('odd', { input: z.union([z.object({}), z.object({})]) })]],
    ['no input', [oddTool('odd', { input: undefined })]],
    ['an effect nobody knows', [oddTool('odd', { effect: 'harmless' })]],
    ['nothing to execute', [oddTool('odd', { execute: undefined })]],
    ['a name that is a number', [oddTool('odd', { name: 5 })]],
    ['a hole in its list', [null]],
    ['no list', undefined],
  ])('takes nothing from the others: %s', async (_what, list) => {
    const { tool, seen } = recordingTool('look', 'read');
    const warnings: string[] = [];
    const note = (line: string): void => void warnings.push(line);
    const { agent, quiet, model } = createFixture(
      [calls({ name: 'look', arguments: { value: 'a' } }), reply('ok')],
      {
        providers: [listing('odd-tools', list), providerOf([tool])],
        logger: { debug: note, info: note, warn: note, error: note },
      },
    );
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['look']);
    expect(seen).toEqual(['a']);
    expect(warnings).not.toEqual([]);
  });
});

describe('a provider that never says what it has', () => {
  const deaf = listing('deaf', new Promise(() => undefined));

  it('does not hold up a cancel', async () => {
    const { agent } = createFixture([reply('ok')], { providers: [deaf] });
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    expect(await agent.cancel(sessionId, 'ann')).toEqual({ cancelled: true });
    expect((await agent.get(sessionId)).header.status).toBe('aborted');
  });

  it('has nothing for now, after a while', async () => {
    const { tool } = recordingTool('look', 'read');
    const { agent, clock, quiet, model } = createFixture([reply('ok')], {
      providers: [deaf, providerOf([tool])],
    });
    const { sessionId } = await agent.prompt({ message: 'go', by: 'ann' });
    await clock.advance(10_000);
    expect((await quiet(sessionId)).header.status).toBe('completed');
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['look']);
  });
});

describe('an effect that cannot be told', () => {
  const effects: readonly (readonly [string, () => Effect])[] = [
    [
      'throws',
      () => {
        throw new Error('no idea');
      },
    ],
    ['is none', () => JSON.parse('"harmless"')],
  ];
  const acting = (effect: () => Effect) => {
    const { tool, seen } = recordingTool('act', 'read');
    return { tool: defineTool({ ...tool, effect }), seen };
  };

  it.each(effects)('counts as destructive where it %s', async (_how, effect) => {
    const { tool, seen } = acting(effect);
    const script = () => [calls({ name: 'act', arguments: {} }), reply('ok')];
    const careful = createFixture(script(), { tools: [tool] });
    const { sessionId } = await careful.agent.prompt({ message: 'go', by: 'ann' });
    expect(kindsOf(await careful.quiet(sessionId))).toEqual([
      'prompt',
      'round',
      'result:denied',
      'round',
      'end',
    ]);

    const open = createFixture(script(), { tools: [tool], settings: { allowDestructive: true } });
    const second = await open.agent.prompt({ message: 'go', by: 'ann' });
    const { pendingApprovals } = await open.quiet(second.sessionId);
    expect(pendingApprovals).toMatchObject([{ tool: 'act', effect: 'destructive' }]);
    expect(seen).toEqual([]);
  });
});
