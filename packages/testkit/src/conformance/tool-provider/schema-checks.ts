import { expect } from 'vitest';
import { z } from 'zod';
import type { Check } from '../check.js';
import type { ProviderSubject } from '../describe-tool-provider.js';

export const schemaChecks: readonly Check<ProviderSubject>[] = [
  {
    name: 'describes the input of every tool as a strict object in JSON Schema',
    async run({ tools }) {
      for (const tool of tools) {
        const schema = z.toJSONSchema(tool.input, { io: 'input' });
        expect(schema.type, `the root type of ${tool.name}`).toBe('object');
        expect(schema.properties, `the properties of ${tool.name}`).toBeTypeOf('object');
        expect(schema.additionalProperties, `additionalProperties of ${tool.name}`).toBe(false);
      }
    },
  },
  {
    name: 'has no alternatives at the root of a schema, which several providers refuse',
    async run({ tools }) {
      for (const tool of tools) {
        const schema = z.toJSONSchema(tool.input, { io: 'input' });
        for (const key of ['oneOf', 'anyOf', 'allOf', 'not', '$ref']) {
          expect(Object.hasOwn(schema, key), `${key} at the root of ${tool.name}`).toBe(false);
        }
      }
    },
  },
  {
    name: 'has no transforms: what is parsed is input again',
    async run({ tools }) {
      for (const tool of tools) {
        const output = z.toJSONSchema(tool.input, { io: 'output', unrepresentable: 'throw' });
        const input = z.toJSONSchema(tool.input, { io: 'input' });
        // A default makes a key required in what is parsed, nothing else may differ.
        expect(Object.keys(output.properties ?? {}), `the properties of ${tool.name}`).toEqual(
          Object.keys(input.properties ?? {}),
        );
      }
    },
  },
  {
    name: 'accepts its samples, and parsing them twice changes nothing',
    async run({ tools, samples, sampledNames }) {
      const names = tools.map((tool) => tool.name);
      expect(names, 'the tools that samples are given for').toEqual(
        expect.arrayContaining([...sampledNames]),
      );
      for (const tool of tools) {
        for (const sample of samples(tool.name)) {
          const before = structuredClone(sample);
          const once = tool.input.parse(sample);
          expect(tool.input.parse(once), `${tool.name}, parsed twice`).toEqual(once);
          expect(sample, `the sample of ${tool.name} after parsing`).toEqual(before);
        }
      }
    },
  },
  {
    name: 'refuses a key it does not know, and what is no object',
    async run({ tools, samples }) {
      for (const tool of tools) {
        for (const sample of [{}, ...samples(tool.name)]) {
          const unknownKey = tool.input.safeParse(Object.assign({}, sample, { no_such_key: 1 }));
          expect(unknownKey.success, `${tool.name} accepts no_such_key`).toBe(false);
        }
        for (const value of [undefined, null, '', 'text', 0, []]) {
          expect(tool.input.safeParse(value).success, `${tool.name} accepts ${JSON.stringify(value)}`).toBe(
            false,
          );
        }
      }
    },
  },
  {
    name: 'shows the same schemas when it is asked again',
    async run({ provider, caller, tools }) {
      const shown = (listed: typeof tools): string[] =>
        listed.map((tool) => JSON.stringify(z.toJSONSchema(tool.input, { io: 'input' })));
      expect(shown(await provider.tools(caller))).toEqual(shown(tools));
    },
  },
];
