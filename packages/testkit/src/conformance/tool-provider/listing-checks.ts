import { expect } from 'vitest';
import type { Check } from '../check.js';
import type { ProviderSubject } from '../describe-tool-provider.js';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const listingChecks: readonly Check<ProviderSubject>[] = [
  {
    name: 'has a name and brings tools',
    async run({ provider, tools }) {
      expect(provider.name).not.toBe('');
      expect(tools.length).toBeGreaterThan(0);
    },
  },
  {
    name: 'names its tools as every provider takes them, each name once',
    async run({ tools }) {
      const names = tools.map((tool) => tool.name);
      for (const name of names) expect(name).toMatch(TOOL_NAME);
      expect(names).toEqual([...new Set(names)]);
    },
  },
  {
    name: 'describes every tool',
    async run({ tools }) {
      for (const tool of tools) {
        expect(tool.description.trim(), `the description of ${tool.name}`).not.toBe('');
        expect(Reflect.get(tool, 'execute'), `execute of ${tool.name}`).toBeTypeOf('function');
      }
    },
  },
  {
    name: 'lists the same tools, in the same order, when it is asked again',
    async run({ provider, caller, tools }) {
      const again = await provider.tools(caller);
      const shown = (listed: typeof tools): unknown =>
        listed.map(({ name, description }) => ({ name, description }));
      expect(shown(again)).toEqual(shown(tools));
    },
  },
  {
    name: 'lets go of a session it never heard of',
    async run({ provider }) {
      await provider.sessionEnded?.('no-such-session', 'cancelled');
      await provider.sessionEnded?.('no-such-session', 'deleted');
    },
  },
  {
    name: 'can be closed twice',
    async run({ provider }) {
      await provider.close();
      await provider.close();
    },
  },
];
