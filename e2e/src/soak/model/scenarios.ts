import * as fc from 'fast-check';
import type {
  CallSpec,
  Command,
  ModelStep,
  Patch,
  Scenario,
  StoreStep,
  ToolName,
  ToolStep,
  UsageSpec,
} from './scenario.js';
import { SECRET, SLOTS, TOOL_NAMES } from './scenario.js';

// Mostly one session, so that it gets somewhere.
const slot = fc.constantFrom(0, 0, 0, 1, SLOTS - 1);
const seldom = fc.integer({ min: 0, max: 9 }).map((n) => n === 9);
const turns = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 4 }) },
  { weight: 1, arbitrary: fc.nat({ max: 40 }) },
);
const call = fc.record<CallSpec>({
  tool: fc.constantFrom<ToolName>(...TOOL_NAMES, 'look', 'save', 'save', 'push', 'kick', 'morph'),
  value: fc.constantFrom('a', 'b', 'c', 'd', SECRET),
  form: fc.oneof(
    { weight: 8, arbitrary: fc.constant('object' as const) },
    { weight: 3, arbitrary: fc.constantFrom('text', 'broken', 'wrong') },
  ),
});
const usage = fc.constantFrom<UsageSpec>(
  'within',
  'within',
  'within',
  'full',
  'missing',
  'zero',
  'odd',
  'over',
);
const calls = fc.array(call, { minLength: 1, maxLength: 4 });

const modelStep = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<ModelStep> }[]>(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('calls'), calls, usage }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('says'),
      text: fc.constantFrom('done', '', ' ', `about ${SECRET}`),
      usage,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cut'),
      finish: fc.constantFrom('length', 'content_filter'),
      calls,
      usage,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('nonsense') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fails'),
      how: fc.constantFrom('transient', 'later', 'final', 'window'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hangs'), deaf: fc.boolean() }) },
);

const toolStep = fc.constantFrom<ToolStep>(
  'ok',
  'ok',
  'ok',
  'ok',
  'ok',
  'fails',
  'denies',
  'throws',
  'hangs',
  'deaf',
  'slow',
  'slow',
  'late',
  'big',
  'leaks',
);

const rule = fc.constantFrom('ask', 'deny', 'ask') as fc.Arbitrary<'ask' | 'deny'>;
const approvals = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.oneof(
          fc.tuple(
            fc.constantFrom('save', 'kick', 'drop', 'boot', 'morph'),
            fc.constantFrom('allow', 'ask', 'deny'),
          ),
          fc.tuple(fc.constantFrom('*', 's*', '*k', '*o*', 'look'), rule),
        ),
        { maxLength: 3 },
      )
      .map((rules): NonNullable<Patch['approvals']> => Object.fromEntries(rules)),
  },
);

const patch: fc.Arbitrary<Patch> = fc.record(
  {
    maxTurns: fc.constantFrom(2, 5, 50, 50, 50),
    maxCostUsd: fc.constantFrom(0, 0.02, 0.05, 1, 100, 100, 100),
    autoApprove: fc.boolean(),
    allowDestructive: fc.constantFrom(true, true, false),
    approvals,
    toolTimeoutMs: fc.constantFrom(1_000, 30_000, 120_000),
    maxConcurrentRuns: fc.constantFrom(1, 2, 8),
    resumeAfterCrash: fc.boolean(),
    contextWindow: fc.constantFrom(1_000, 2_000, 100_000),
  },
  { requiredKeys: [] },
);

const command = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Command> }[]>(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        kind: fc.constant('prompt'),
        slot,
        turns,
        withId: fc.boolean(),
        twice: seldom,
        again: seldom,
        byAgent: seldom,
        maxTurns: fc.constantFrom(1, 2),
        maxCostUsd: fc.constantFrom(0.01, 0.03),
      },
      { requiredKeys: ['kind', 'slot', 'turns', 'withId', 'twice', 'again', 'byAgent'] },
    ),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('decide'),
      slot,
      turns,
      which: fc.nat({ max: 3 }),
      byAgent: seldom,
      late: seldom,
      twice: seldom,
      approved: fc.constantFrom(true, true, false),
      remember: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke'), slot, turns }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel'), slot, turns, twice: seldom }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('configure'), patch, turns }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('swap_tools'), version: fc.nat({ max: 4 }), turns }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash'), turns }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen'), turns }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('advance'),
      ms: fc.constantFrom(5, 600, 1_100, 5_000, 61_000, 121_000),
      turns,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), slot, turns }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('watch'), slot, after: fc.nat({ max: 5 }), turns }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('look'), slot, turns }) },
);

const storeStep: fc.Arbitrary<StoreStep> = fc.oneof(
  { weight: 10, arbitrary: fc.constant({ delay: 0 }) },
  { weight: 4, arbitrary: fc.record({ delay: fc.nat({ max: 6 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      delay: fc.nat({ max: 3 }),
      fails: fc.constantFrom<'before' | 'after'>('before', 'after'),
    }),
  },
);
const steadyStore = fc.array(fc.record({ delay: fc.nat({ max: 3 }) }), { minLength: 1, maxLength: 4 });

/** Any world. */
export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  patch,
  price: fc.record({
    input: fc.constantFrom(0, 1, 0.25, 3, 1.333),
    output: fc.constantFrom(0, 10, 0.6, 15, 7.777),
  }),
  gateway: fc.constantFrom<Scenario['gateway']>('stepwise', 'stepwise', 'one_by_one', 'one_round'),
  model: fc.array(modelStep, { minLength: 1, maxLength: 12, size: 'max' }),
  tools: fc.array(toolStep, { minLength: 1, maxLength: 8, size: 'max' }),
  store: fc.oneof(steadyStore, fc.array(storeStep, { minLength: 1, maxLength: 12, size: 'max' })),
  crashes: fc.oneof(
    fc.constant([]),
    fc.array(
      fc.record({ afterAppends: fc.nat({ max: 25 }), lastAppend: fc.constantFrom('lost', 'written') }),
      {
        maxLength: 3,
      },
    ),
  ),
  commands: fc.array(command, { minLength: 1, maxLength: 40, size: 'max' }),
  prefixes: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
});
