import { EFFECTS } from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';
import { frozenSnapshot } from '../../scripted-model/frozen-snapshot.js';
import type { Check } from '../check.js';
import type { ProviderSubject } from '../describe-tool-provider.js';

export const effectChecks: readonly Check<ProviderSubject>[] = [
  {
    name: 'gives every tool an effect of the contract',
    async run({ tools, samples }) {
      for (const tool of tools) {
        if (typeof tool.effect === 'string')
          expect(EFFECTS, `the effect of ${tool.name}`).toContain(tool.effect);
        for (const input of inputsOf(tool, samples(tool.name))) {
          expect(EFFECTS, `the effect of ${tool.name} for ${JSON.stringify(input)}`).toContain(
            effectOf(tool, input),
          );
        }
      }
    },
  },
  {
    name: 'has samples for every tool whose effect depends on its input',
    async run({ tools, samples }) {
      const unsampled = tools.filter(
        (tool) => typeof tool.effect === 'function' && samples(tool.name).length === 0,
      );
      expect(
        unsampled.map((tool) => tool.name),
        'tools to give samples for',
      ).toEqual([]);
    },
  },
  {
    name: 'computes the effect from the input alone, changing nothing in it',
    async run({ tools, samples }) {
      for (const tool of tools) {
        const inputs = inputsOf(tool, samples(tool.name));
        // Frozen, so that an effect that writes to its input throws; backwards the second time, so that memory shows.
        const first = inputs.map((input) => effectOf(tool, frozenSnapshot(input)));
        const second = [...inputs].reverse().map((input) => effectOf(tool, structuredClone(input)));
        expect(second.reverse(), `the effects of ${tool.name}, asked again`).toEqual(first);
      }
    },
  },
];

/** The samples as parsed, and what is left of each without one of its keys where that is input too. */
function inputsOf(tool: Tool, samples: readonly unknown[]): unknown[] {
  return samples.flatMap((sample) => {
    const parsed = tool.input.parse(sample);
    const entries = Object.entries(typeof sample === 'object' && sample !== null ? sample : {});
    const shorter = entries.flatMap(([left]) => {
      const rest = tool.input.safeParse(Object.fromEntries(entries.filter(([key]) => key !== left)));
      return rest.success ? [rest.data] : [];
    });
    return [parsed, ...shorter];
  });
}

function effectOf(tool: Tool, input: unknown): unknown {
  return typeof tool.effect === 'function' ? tool.effect(input) : tool.effect;
}
