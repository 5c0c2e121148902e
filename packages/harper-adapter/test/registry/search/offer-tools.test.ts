import { setImmediate } from 'node:timers/promises';
import { DEFAULT_SETTINGS } from '@harperfast/agent-core';
import type { GateSettings } from '@harperfast/agent-core';
import { defineTool } from '@harperfast/agent-core/contracts';
import type { Effect, Tool, ToolContext, ToolProvider } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { offerTools } from '../../../src/registry/search/offer-tools.js';
import { silentLogger } from '../../support/silent-logger.js';

const caller = { user: 'robot' };
const ALL: GateSettings = { ...DEFAULT_SETTINGS, allowDestructive: true };
const context: ToolContext = {
  sessionId: 's1',
  callId: 'c1',
  caller,
  signal: new AbortController().signal,
  logger: silentLogger,
};

function tools(count: number, prefix: string, effect: Effect = 'read'): Tool[] {
  return Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `${prefix}_${index}`,
      description: `Does ${prefix} ${index}`,
      input: z.strictObject({}),
      effect,
      execute: async () => ({ text: prefix }),
    }),
  );
}

function setUp(lists: readonly { readonly rank: number; tools: readonly Tool[] }[], maxTools: number) {
  let settings: GateSettings = ALL;
  let listings = 0;
  const providers = offerTools(
    lists.map((list, index) => ({
      provider: {
        name: `provider ${index}`,
        tools: () => {
          listings++;
          return list.tools;
        },
        close: async () => undefined,
      },
      rank: () => list.rank,
    })),
    { maxTools, settings: () => settings },
  );
  const list = async () => {
    // A list holds for one turn of the event loop.
    await setImmediate();
    return (await Promise.all(providers.map(async (provider) => provider.tools(caller)))).flat();
  };
  const atOnce = async () => (await list()).filter((tool) => tool.deferred !== true).map(({ name }) => name);
  const search = async (input: object) => {
    const found = (await list()).find(({ name }) => name === 'search_tools');
    if (found === undefined) throw new Error('There is no search_tools');
    return found.execute(found.input.parse(input), context);
  };
  const change = (changed: Partial<GateSettings>) => void (settings = { ...ALL, ...changed });
  return { providers, list, atOnce, search, change, listings: () => listings };
}

describe('offerTools', () => {
  it('defers nothing, and brings no search, while there are places for all', async () => {
    const { list } = setUp(
      [
        { rank: 0, tools: tools(5, 'a') },
        { rank: 2, tools: tools(5, 'b') },
      ],
      10,
    );
    expect((await list()).map(({ name, deferred }) => [name, deferred])).toEqual(
      [...tools(5, 'a'), ...tools(5, 'b')].map(({ name }) => [name, undefined]),
    );
  });

  it('gives the places by rank, then by order, one of them to the search', async () => {
    const { atOnce } = setUp(
      [
        { rank: 3, tools: tools(6, 'rest') },
        { rank: 0, tools: tools(3, 'own') },
        { rank: 2, tools: tools(6, 'app') },
      ],
      10,
    );
    expect(await atOnce()).toEqual([
      'own_0',
      'own_1',
      'own_2',
      'app_0',
      'app_1',
      'app_2',
      'app_3',
      'app_4',
      'app_5',
      'search_tools',
    ]);
  });

  it('gives the same tools as long as nothing has changed', async () => {
    const given = { rank: 0, tools: tools(20, 'a') };
    const { list } = setUp([given], 10);
    const first = await list();
    (await list()).forEach((tool, index) => expect(tool).toBe(first[index]));
    given.tools = tools(2, 'b');
    expect((await list()).map(({ name }) => name)).toEqual(['b_0', 'b_1']);
  });

  it('follows the lists: a tool that is new is found, one that is gone is not', async () => {
    const list = { rank: 0, tools: tools(20, 'old') };
    const { search } = setUp([list], 10);
    expect((await search({ query: 'old_15' })).offers).toContain('old_15');
    list.tools = [...tools(15, 'old'), ...tools(3, 'new')];
    expect((await search({ query: 'new' })).offers).toEqual(['new_0', 'new_1', 'new_2']);
    expect((await search({ query: 'old_15' })).text).not.toContain('old_15:');
  });

  it('finds only what has no place, at most as much as is asked for', async () => {
    const { search } = setUp([{ rank: 0, tools: tools(20, 'a') }], 10);
    const { text, offers, data } = await search({ query: 'a', limit: 3 });
    expect(offers).toEqual(['a_10', 'a_11', 'a_12']);
    expect(data).toEqual({ found: offers });
    expect(text).toContain('- a_10: Does a 10');
    expect(text).toContain('8 more');
  });

  it('names what there is when nothing fits, and offers nothing', async () => {
    const { search } = setUp([{ rank: 0, tools: tools(11, 'a') }], 10);
    const { text, offers } = await search({ query: 'weather' });
    expect(text).toContain('No further tool fits "weather"');
    expect(text).toContain('a_9, a_10');
    expect(offers).toBeUndefined();
  });

  it('leaves room for what is found in the 128 a request may carry, and says how much', async () => {
    const { atOnce, search } = setUp([{ rank: 0, tools: tools(300, 'a') }], 128);
    expect(await atOnce()).toHaveLength(112);
    expect((await search({ query: 'a', limit: 20 })).offers).toHaveLength(16);
    expect((await search({ query: 'a' })).text).toContain('At most 16 found tools');
  });

  it('counts tools that destroy only while they are on offer', async () => {
    const { list, change } = setUp(
      [
        { rank: 0, tools: tools(20, 'drop', 'destructive') },
        { rank: 1, tools: tools(10, 'a') },
      ],
      10,
    );
    change({ allowDestructive: false });
    expect((await list()).filter(({ deferred }) => deferred === true)).toEqual([]);
    change({ allowDestructive: true });
    expect((await list()).filter(({ deferred }) => deferred === true)).toHaveLength(21);
  });

  it('gives no place to tools that a rule withholds, and finds none of them', async () => {
    const { atOnce, search, change } = setUp(
      [
        { rank: 0, tools: tools(8, 'denied') },
        { rank: 1, tools: tools(20, 'a') },
      ],
      10,
    );
    change({ approvals: { 'denied_*': 'deny' } });
    expect(await atOnce()).toEqual(expect.arrayContaining(tools(9, 'a').map(({ name }) => name)));
    expect((await search({ query: 'denied' })).text).toContain('No further tool fits');
  });

  it('lets a provider fail for itself, and asks each once for all', async () => {
    const good: ToolProvider = { name: 'good', tools: () => tools(2, 'a'), close: async () => undefined };
    const bad: ToolProvider = {
      name: 'bad',
      tools: () => Promise.reject(new Error('broken')),
      close: async () => undefined,
    };
    const providers = offerTools(
      [
        { provider: bad, rank: () => 0 },
        { provider: good, rank: () => 0 },
      ],
      { maxTools: 10, settings: () => ALL },
    );
    const listed = await Promise.allSettled(providers.map(async (provider) => provider.tools(caller)));
    expect(listed.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(listed[1]).toMatchObject({ value: [{ name: 'a_0' }, { name: 'a_1' }] });

    const { list, listings } = setUp([{ rank: 0, tools: tools(20, 'a') }], 10);
    await list();
    expect(listings()).toBe(1);
  });

  it('hands on that a session ended and that it is over', async () => {
    const heard: string[] = [];
    const provider: ToolProvider = {
      name: 'own',
      tools: () => [],
      sessionEnded: async (id, why) => void heard.push(`${id} ${String(why)}`),
      close: async () => void heard.push('closed'),
    };
    const providers = offerTools([{ provider, rank: () => 0 }], {
      maxTools: 10,
      settings: () => ALL,
    });
    for (const item of providers) await item.sessionEnded?.('s1', 'deleted');
    for (const item of providers) await item.close();
    expect(heard).toEqual(['s1 deleted', 'closed']);
  });
});
