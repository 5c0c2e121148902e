import { defineTool } from '@harperfast/agent-core/contracts';
import type { Effect, Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeToolProvider } from '../../src/conformance/index.js';
import { openProvider, toolProviderChecks } from '../../src/conformance/describe-tool-provider.js';
import type { OpenedProvider } from '../../src/conformance/describe-tool-provider.js';
import { failingChecks } from './failing-checks.js';

const lookup = defineTool({
  name: 'look_up',
  description: 'Looks something up',
  input: z.strictObject({ path: z.string().min(1), limit: z.number().int().default(10) }),
  effect: 'read',
  execute: async () => ({ text: 'found' }),
});
const send = defineTool({
  name: 'send',
  description: 'Reads or writes',
  input: z.strictObject({ method: z.enum(['GET', 'POST']).optional(), body: z.string().optional() }),
  effect: (input) => (input.method === 'POST' ? 'write' : 'read'),
  execute: async () => ({ text: 'sent' }),
});
const samples = {
  look_up: [{ path: 'a' }, { path: 'b', limit: 3 }],
  send: [{ method: 'POST', body: 'x' }, {}],
};

function soundProvider(fields: Partial<ToolProvider> = {}): OpenedProvider {
  return {
    provider: { name: 'sound', tools: () => [lookup, send], close: async () => undefined, ...fields },
    samples,
  };
}

function withTools(...tools: readonly Tool[]): OpenedProvider {
  return soundProvider({ tools: () => [lookup, send, ...tools] });
}

function odd(fields: Partial<Tool>): OpenedProvider {
  return withTools({ ...lookup, name: 'odd', ...fields });
}

const closed = new WeakSet<ToolProvider>();

/** Each provider is wrong in one way; the check named beside it has to notice. */
const faults: readonly (readonly [fault: string, noticedBy: string, create: () => OpenedProvider])[] = [
  ['has no name', 'has a name and brings tools', () => soundProvider({ name: '' })],
  ['brings no tools', 'has a name and brings tools', () => soundProvider({ tools: () => [] })],
  [
    'has a name with a dot',
    'names its tools as every provider takes them, each name once',
    () => odd({ name: 'fs.read' }),
  ],
  [
    'has a name that is too long',
    'names its tools as every provider takes them, each name once',
    () => odd({ name: 'x'.repeat(65) }),
  ],
  [
    'has a name twice',
    'names its tools as every provider takes them, each name once',
    () => withTools(lookup),
  ],
  ['does not describe a tool', 'describes every tool', () => odd({ description: '  ' })],
  [
    'changes its order',
    'lists the same tools, in the same order, when it is asked again',
    () => {
      let asked = 0;
      return soundProvider({ tools: () => (asked++ % 2 ? [send, lookup] : [lookup, send]) });
    },
  ],
  [
    'cannot be closed twice',
    'can be closed twice',
    () => {
      const opened = soundProvider({
        async close() {
          if (closed.has(opened.provider)) throw new Error('closed already');
          closed.add(opened.provider);
        },
      });
      return opened;
    },
  ],
  [
    'chokes on an unknown session',
    'lets go of a session it never heard of',
    () => soundProvider({ sessionEnded: () => Promise.reject(new Error('unknown session')) }),
  ],
  [
    'takes any key',
    'describes the input of every tool as a strict object in JSON Schema',
    () => odd({ input: z.object({ a: z.string() }) }),
  ],
  [
    'takes any key without saying so',
    'refuses a key it does not know, and what is no object',
    () => odd({ input: z.object({ a: z.string().optional() }).meta({ additionalProperties: false }) }),
  ],
  [
    'takes no object',
    'describes the input of every tool as a strict object in JSON Schema',
    () => odd({ input: z.string() }),
  ],
  [
    'has alternatives at the root',
    'has no alternatives at the root of a schema, which several providers refuse',
    () => odd({ input: z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]) }),
  ],
  [
    'transforms its input',
    'has no transforms: what is parsed is input again',
    () => odd({ input: z.strictObject({ path: z.string().transform((text) => `/${text}`) }) }),
  ],
  [
    'grows its input with every parsing',
    'accepts its samples, and parsing them twice changes nothing',
    () => ({
      ...odd({ input: z.strictObject({ path: z.string().overwrite((text) => `/${text}`) }) }),
      samples: { ...samples, odd: [{ path: 'a' }] },
    }),
  ],
  [
    'refuses its own sample',
    'accepts its samples, and parsing them twice changes nothing',
    () => ({
      ...soundProvider(),
      samples: { ...samples, look_up: [{ path: '' }] },
    }),
  ],
  [
    'has samples for a tool it does not have',
    'accepts its samples, and parsing them twice changes nothing',
    () => ({
      ...soundProvider(),
      samples: { ...samples, lookup: [{}] },
    }),
  ],
  [
    'changes its schema',
    'shows the same schemas when it is asked again',
    () => {
      let asked = 0;
      return soundProvider({
        tools: () => [{ ...lookup, input: z.strictObject({ [`path${asked++}`]: z.string() }) }],
      });
    },
  ],
  [
    'has an effect of its own invention',
    'gives every tool an effect of the contract',
    () => ({
      ...odd({ effect: () => JSON.parse('"harmless"') as Effect }),
      samples: { ...samples, odd: [{ path: 'a' }] },
    }),
  ],
  [
    'has no samples for an effect that depends on the input',
    'has samples for every tool whose effect depends on its input',
    () => odd({ effect: () => 'read' }),
  ],
  [
    'has an effect that changes by itself',
    'computes the effect from the input alone, changing nothing in it',
    () => {
      let asked = 0;
      return {
        ...odd({ effect: () => (asked++ === 0 ? 'write' : 'read') }),
        samples: { ...samples, odd: [{ path: 'a' }] },
      };
    },
  ],
  [
    'has an effect that writes to its input',
    'computes the effect from the input alone, changing nothing in it',
    () => ({
      ...odd({
        effect(input) {
          if (typeof input === 'object' && input !== null) Object.assign(input, { path: 'b' });
          return 'read';
        },
      }),
      samples: { ...samples, odd: [{ path: 'a' }] },
    }),
  ],
];

describeToolProvider('a sound provider', () => soundProvider());

describe('describeToolProvider', () => {
  it.each(faults)('notices a provider that %s', async (_fault, noticedBy, create) => {
    const failing = await failingChecks(
      toolProviderChecks,
      () => openProvider(create),
      (subject) => subject.close().catch(() => undefined),
      noticedBy,
    );
    expect(failing).toEqual([noticedBy]);
  });
});
