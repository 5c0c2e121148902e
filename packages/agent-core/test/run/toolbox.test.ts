import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEFAULT_SETTINGS, defineTool } from '../../src/index.js';
import type { Tool, ToolProvider } from '../../src/index.js';
import { MOST_TOOLS, createToolboxFinder } from '../../src/run/toolbox.js';

const toolNamed = (name: string): Tool =>
  defineTool({
    name,
    description: 'Does nothing.',
    input: z.strictObject({}),
    effect: 'read',
    execute: async () => ({ text: '' }),
  });

const provider = (name: string, tools: () => readonly Tool[]): ToolProvider => ({
  name,
  tools,
  close: async () => undefined,
});

function open(providers: readonly ToolProvider[]) {
  const warnings: string[] = [];
  const note = (line: string): void => void warnings.push(line);
  const logger = { debug: note, info: note, warn: note, error: note };
  const settings = { ...DEFAULT_SETTINGS };
  return {
    warnings,
    find: createToolboxFinder({ providers, caller: { user: 'a' }, logger, settings: () => settings }),
  };
}

describe('the toolbox finder', () => {
  it('gives the same toolbox while the tools are the same, in whatever array', async () => {
    const [a, b] = [toolNamed('a'), toolNamed('b')];
    const { find } = open([provider('one', () => [a]), provider('two', () => [b])]);
    const first = await find();
    expect(first.names).toEqual(['a', 'b']);
    expect(await find()).toBe(first);
  });

  it('sees a tool that a provider adds to the array it handed out before', async () => {
    const tools = [toolNamed('a')];
    const { find } = open([provider('one', () => tools)]);
    await find();
    tools.push(toolNamed('b'));
    expect((await find()).names).toEqual(['a', 'b']);
    tools.shift();
    expect((await find()).names).toEqual(['b']);
  });

  it('keeps the earlier of two tools with one name, and says so once', async () => {
    const [kept, left] = [toolNamed('a'), toolNamed('a')];
    const { find, warnings } = open([provider('one', () => [kept]), provider('two', () => [left])]);
    expect((await find()).get('a')?.tool).toBe(kept);
    await find();
    expect(warnings).toEqual(['A second tool named a is left out, from two']);
  });

  it('goes on without the tools of a provider that fails, until it works again', async () => {
    let broken = true;
    const b = toolNamed('b');
    const failing = provider('two', () => {
      if (broken) throw new Error('down');
      return [b];
    });
    const { find, warnings } = open([provider('one', () => [toolNamed('a')]), failing]);
    expect((await find()).names).toEqual(['a']);
    expect(warnings).toEqual(['The tools of two could not be listed: Error: down']);
    broken = false;
    expect((await find()).names).toEqual(['a', 'b']);
  });

  it('leaves deferred tools out until a session was offered them', async () => {
    const later = { ...toolNamed('later'), deferred: true as const };
    const { find } = open([provider('one', () => [toolNamed('a'), later])]);
    const toolbox = await find();
    expect(toolbox.names).toEqual(['a']);
    expect(toolbox.get('later')).toBeUndefined();
    expect([toolbox.isDeferred('later'), toolbox.isDeferred('a'), toolbox.isDeferred('b')]).toEqual([
      true,
      false,
      false,
    ]);
    const offered = ['gone', 'later'];
    const more = toolbox.withOffered(offered);
    expect(more.names).toEqual(['a', 'later']);
    expect(more.definitions[0]).toBe(toolbox.definitions[0]);
    expect(more.withOffered(offered)).toBe(more);
    expect(more.isDeferred('later')).toBe(false);
    expect(toolbox.withOffered(['gone'])).toBe(toolbox);
  });

  it('never gives a session more tools than a provider takes: what was offered last stays', async () => {
    const deferred = Array.from({ length: 200 }, (_, at) => ({
      ...toolNamed(`later_${at}`),
      deferred: true as const,
    }));
    const { find } = open([provider('one', () => [toolNamed('a'), ...deferred])]);
    const { names } = (await find()).withOffered(deferred.map(({ name }) => name));
    expect(names).toHaveLength(MOST_TOOLS);
    expect([names[0], names.at(-1)]).toEqual(['a', 'later_199']);
  });
});
